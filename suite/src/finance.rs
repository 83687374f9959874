//! Prices of European options (Black and Scholes; the SDKs of NVIDIA and AMD).
//!
//! With the price `S` of the share, the strike price `X`, the time `T` in years, the riskless rate `r`, the volatility
//! `v`, and the cumulative normal distribution Φ, here the polynomial 26.2.17 of Abramowitz and Stegun:
//!
//! ```text
//! d₁   = (ln(S/X) + (r + ½·v²)·T) / (v·√T)         d₂ = d₁ - v·√T
//! call = S·Φ(d₁) - X·exp(-r·T)·Φ(d₂)
//! put  = X·exp(-r·T)·(1 - Φ(d₂)) - S·(1 - Φ(d₁))
//! ```

use lift::prelude::*;
use ndarray::Array1;

use crate::input;
use crate::oracle::Real;

lift!(
    /// The cumulative normal distribution.
    fn cumulative_normal<T>(d: T) -> T {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let inner = -1.821_255_978 + k * 1.330_274_429;
        let series = k * (0.319_381_530 + k * (-0.356_563_782 + k * (1.781_477_937 + k * inner)));
        let tail = 0.398_942_28 * (-0.5 * d * d).exp() * series;
        if d > 0.0 { 1.0 - tail } else { tail }
    }

    /// The prices of the call and of the put.
    fn prices<T>(share: T, strike: T, years: T) -> (T, T) {
        let (rate, volatility) = (0.02, 0.3);
        let spread = volatility * years.sqrt();
        let d1 = ((share / strike).ln() + (rate + 0.5 * volatility * volatility) * years) / spread;
        let d2 = d1 - spread;
        let (p1, p2) = (cumulative_normal(d1), cumulative_normal(d2));
        let discounted = strike * (-rate * years).exp();
        (share * p1 - discounted * p2, discounted * (1.0 - p2) - share * (1.0 - p1))
    }

    /// The prices of calls and puts.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn BlackScholes<T, N>(share: [T; N], strike: [T; N], years: [T; N]) -> ([T; N], [T; N]) {
        zip(share, strike, years).map(prices).unzip()
    }
);

/// The prices of shares.
pub fn shares(n: usize) -> Array1<f32> {
    input::uniform(31, 5.0..30.0, n)
}

/// Strike prices.
pub fn strikes(n: usize) -> Array1<f32> {
    input::uniform(32, 1.0..100.0, n)
}

/// Times until the options end.
pub fn years(n: usize) -> Array1<f32> {
    input::uniform(33, 0.25..10.0, n)
}

fn phi(d: f64) -> f64 {
    const SERIES: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
    let k = 1.0 / (1.0 + 0.2316419 * d.abs());
    let sum: f64 = (1..).zip(SERIES).map(|(power, a)| a * k.powi(power)).sum();
    let tail = 0.39894228 * (-d * d / 2.0).exp() * sum;
    if d > 0.0 { 1.0 - tail } else { tail }
}

/// The definition: calls and puts.
pub fn black_scholes<T: Real>(
    share: &Array1<T>,
    strike: &Array1<T>,
    years: &Array1<T>,
) -> (Array1<f64>, Array1<f64>) {
    const R: f64 = 0.02;
    const V: f64 = 0.3;
    let (mut calls, mut puts) = (Array1::zeros(share.len()), Array1::zeros(share.len()));
    for i in 0..share.len() {
        let (s, x, t): (f64, f64, f64) = (share[i].into(), strike[i].into(), years[i].into());
        let d1 = ((s / x).ln() + (R + V * V / 2.0) * t) / (V * t.sqrt());
        let d2 = d1 - V * t.sqrt();
        let discounted = x * (-R * t).exp();
        calls[i] = s * phi(d1) - discounted * phi(d2);
        puts[i] = discounted * (1.0 - phi(d2)) - s * (1.0 - phi(d1));
    }
    (calls, puts)
}
