//! Simulations: what rotates, what is added and recorded on the way, and when they stop.

mod kernels;

use kernels::programs::{Bump, Fall, Heat, Pair, Wave};
use lift_runtime::{Error, HostArg, Kernel, Stepper};
use ndarray::{Array1, arr1};

fn bump(n: usize, at: usize) -> Array1<f32> {
    Array1::from_iter((0..n).map(|i| if i == at { 1.0 } else { 0.0 }))
}

fn at(x: &Array1<f32>, i: usize) -> f32 {
    x.get(i).copied().unwrap_or(0.0)
}

fn curvature(x: &Array1<f32>, i: usize) -> f32 {
    at(x, i.wrapping_sub(1)) - 2.0 * x[i] + at(x, i + 1)
}

/// One step on the host; the new state and the old one.
fn wave(p: &Array1<f32>, before: &Array1<f32>, c: f32) -> (Array1<f32>, Array1<f32>) {
    let new = Array1::from_iter((0..p.len()).map(|i| 2.0 * p[i] - before[i] + c * curvature(p, i)));
    (new, p.clone())
}

fn heat(p: &Array1<f32>, c: f32) -> Array1<f32> {
    Array1::from_iter((0..p.len()).map(|i| p[i] + c * curvature(p, i)))
}

fn close(found: &Array1<f32>, expected: &Array1<f32>) {
    assert_eq!(found.len(), expected.len());
    let far = found.iter().zip(expected).find(|(found, expected)| (*found - *expected).abs() > 1e-4);
    assert_eq!(far, None, "{found} is not {expected}");
}

#[test]
fn results_take_the_places_of_parameters() {
    for device in kernels::devices() {
        let (mut p, mut before) = (bump(100, 40), bump(100, 41));
        let mut sim = Wave::on(&device).unwrap().start(&p, &before, 0.25).unwrap();
        assert_eq!(sim.steps_done(), 0);
        close(&sim.p().unwrap(), &p);
        for steps in [1, 2, 50] {
            sim.run(steps).unwrap();
            for _ in 0..steps {
                (p, before) = wave(&p, &before, 0.25);
            }
            close(&sim.p().unwrap(), &p);
            close(&sim.before().unwrap(), &before);
        }
        assert_eq!(sim.steps_done(), 53);
        assert_eq!(format!("{sim:?}"), format!("Wave on {} after 53 steps", device.label()));

        // A copy stays what it is while the simulation goes on.
        let copy = sim.p_device().unwrap();
        sim.run(1).unwrap();
        close(&copy.download().unwrap(), &p);

        sim.set_c(0.0).unwrap();
        sim.set_before(&p).unwrap();
        sim.set_p(&before).unwrap();
        sim.run(1).unwrap();
        close(&sim.p().unwrap(), &wave(&before, &p, 0.0).0);
        let error = sim.set_p(&[1.0]).unwrap_err().to_string();
        assert_eq!(error, "Wave: `p` was 100 of f32 at the start, but is to become 1 of f32");
    }
}

#[test]
fn tuples_rotate_part_by_part() {
    for device in kernels::devices() {
        let mut sim = Pair::on(&device).unwrap().start((&[1.0, 2.0], &[10.0, 20.0])).unwrap();
        sim.run(3).unwrap();
        assert_eq!(sim.uv().unwrap(), (arr1(&[11.0, 21.0]), arr1(&[3.0, 4.0])));
        let (u, v) = sim.uv_device().unwrap();
        assert_eq!((u.download().unwrap()[0], v.download().unwrap()[1]), (11.0, 4.0));
    }
}

#[test]
fn kernels_in_place_are_steps_too() {
    for device in kernels::devices() {
        let (x, v) = (vec![0.0, 1.0], vec![10.0, 0.0]);
        let mut sim = Fall::on(&device).unwrap().start((&x, &v), 1.0).unwrap();
        let height = sim.probe([0]).unwrap();
        let speed = sim.probe_in::<f32>("bodies.1", &[1]).unwrap();
        sim.run(4).unwrap();
        assert_eq!(sim.samples(height).unwrap(), [10.0, 19.0, 27.0, 34.0]);
        assert_eq!(sim.samples(speed).unwrap(), [-1.0, -2.0, -3.0, -4.0]);
        sim.set_g(0.0).unwrap();
        sim.run(1).unwrap();
        assert_eq!(sim.bodies().unwrap(), (arr1(&[40.0, -9.0]), arr1(&[6.0, -4.0])));
        let error = sim.max_change().unwrap_err().to_string();
        assert_eq!(error, "Fall: `max_change` needs a state whose place a result takes");
    }
}

/// Far more steps than a queue remembers.
#[test]
fn sources_and_probes_work_once_a_step() {
    for device in kernels::devices() {
        let n = 60;
        let zeros = Array1::<f32>::zeros(n);
        let pulse: Vec<f32> = (0..20).map(|i| (i as f32 * 0.3).sin()).collect();
        let mut sim = Wave::on(&device).unwrap().start(&zeros, &zeros, 0.5).unwrap();
        let (mut p, mut before) = (zeros.clone(), zeros);
        sim.run(3).unwrap();
        sim.source([20], &pulse).unwrap();
        sim.source_in("before", &[5], &[7.0_f32]).unwrap_err();
        let (near, far) = (sim.probe([20]).unwrap(), sim.probe([50]).unwrap());
        let mut expected = (Vec::new(), Vec::new());
        for steps in [1, 10, 1500] {
            sim.run(steps).unwrap();
            for _ in 0..steps {
                (p, before) = wave(&p, &before, 0.5);
                p[20] += pulse.get(expected.0.len()).copied().unwrap_or(0.0);
                expected.0.push(p[20]);
                expected.1.push(p[50]);
            }
        }
        close(&sim.samples(near).unwrap().into(), &expected.0.into());
        close(&sim.samples(far).unwrap().into(), &expected.1.into());
        close(&sim.p().unwrap(), &p);
    }
}

#[test]
fn places_are_checked() {
    for device in kernels::devices() {
        let mut sim = Heat::on(&device).unwrap().start(&[0.0; 9], 0.1).unwrap();
        assert_eq!(
            sim.probe([9]).unwrap_err().to_string(),
            "Heat: a probe at [9] is not within `p`, which is 9"
        );
        assert_eq!(
            sim.source_in("c", &[], &[1.0_f32]).unwrap_err().to_string(),
            "Heat: it has no state `c`; there is `p`"
        );
        assert_eq!(
            sim.source_in("p", &[1], &[1]).unwrap_err().to_string(),
            "Heat: `p` is made of f32, so it cannot have a source of i32"
        );
        let mut other = Heat::on(&device).unwrap().start(&[0.0; 9], 0.1).unwrap();
        let probe = other.probe([1]).unwrap();
        assert!(sim.samples(probe).is_err());
    }
}

#[test]
fn callbacks_see_the_state_of_their_step() {
    for device in kernels::devices() {
        let start = bump(50, 25);
        let mut sim = Heat::on(&device).unwrap().start(&start, 0.25).unwrap();
        let mut expected = Vec::new();
        let mut p = start;
        for step in 1..=20 {
            p = heat(&p, 0.25);
            if step % 6 == 0 {
                expected.push(p.clone());
            }
        }
        let (mut seen, mut others) = (Vec::new(), Vec::new());
        let done = sim
            .steps(20)
            .every(6, |sim| {
                seen.push(sim.p()?);
                Ok(())
            })
            .every(10, |sim| {
                others.push(sim.steps_done());
                Ok(())
            })
            .progress(true)
            .go()
            .unwrap();
        assert_eq!((done, others), (20, vec![10, 20]));
        assert_eq!(seen.len(), 3);
        seen.iter().zip(&expected).for_each(|(found, expected)| close(found, expected));
        close(&sim.p().unwrap(), &p);

        let error = Error::Arguments { kernel: "Heat", problem: "enough".to_string() };
        let stopped = sim.steps(100).every(7, |_| Err(error.clone())).go();
        assert_eq!((stopped, sim.steps_done()), (Err(error.clone()), 27));
    }
}

#[test]
fn a_simulation_stops_when_it_has_settled() {
    for device in kernels::devices() {
        // The difference to the state before, on the host.
        let mut sim = Heat::on(&device).unwrap().start(&bump(5000, 4999), 0.25).unwrap();
        assert!(sim.max_change().unwrap_err().to_string().contains("no step has been made"));
        let mut p = bump(5000, 4999);
        let mut expected = 0;
        loop {
            let new = heat(&p, 0.25);
            expected += 1;
            let change = (&new - &p).iter().fold(0.0_f32, |largest, change| largest.max(change.abs()));
            p = new;
            if expected % 5 == 0 && change < 1e-3 {
                break;
            }
        }
        let done = sim.steps(100_000).until(5, |sim| Ok(sim.max_change()? < 1e-3)).go().unwrap();
        assert_eq!(done, expected);
        close(&sim.p().unwrap(), &p);

        // With a state before, of its own.
        let (p, before) = (bump(10, 4), bump(10, 4));
        let mut sim = Wave::on(&device).unwrap().start(&p, &before, 0.5).unwrap();
        sim.run(1).unwrap();
        assert_eq!(sim.max_change().unwrap(), 1.0);
        sim.set_c(f32::NAN).unwrap();
        sim.run(1).unwrap();
        assert!(sim.max_change().unwrap().is_nan());
    }
}

#[test]
fn the_first_step_that_is_not_finite_is_named() {
    for device in kernels::devices() {
        let mut start = Array1::<f32>::zeros(1000);
        start[700] = 1e30;
        // Each step multiplies by about 200.
        let mut sim = Heat::on(&device).unwrap().start(&start, 100.0).unwrap();
        sim.check_finite(true).unwrap();
        let mut p = start;
        let mut expected = 0;
        while p.iter().all(|value| value.is_finite()) {
            p = heat(&p, 100.0);
            expected += 1;
        }
        let error = sim.run(100_000).unwrap_err();
        let Error::NotFinite { kernel: "Heat", argument: "p", step, ref index } = error else {
            panic!("{error}")
        };
        assert_eq!(step, expected);
        assert!(!p[index[0]].is_finite(), "{error}");
        assert!(
            error.to_string().starts_with(&format!("Heat: after step {expected}, `p` is not finite at ["))
        );
        assert!(sim.steps_done() < 1000);
        sim.check_finite(false).unwrap();
        sim.run(10).unwrap();
    }
}

#[test]
fn bad_indices_stop_nothing_and_are_reported() {
    for device in kernels::devices() {
        let mut sim = Bump::on(&device).unwrap().start(&[0.0; 3], &[2, 1]).unwrap();
        sim.run(700).unwrap();
        assert_eq!(sim.cells().unwrap(), arr1(&[0.0, 700.0, 700.0]));
        sim.set_which(&[2, 3]).unwrap();
        sim.run(2).unwrap();
        let error = sim.wait().unwrap_err().to_string();
        assert_eq!(error, "Bump: `which[1]` is 3, but `cells.gather(which)` takes indices in 0..3");
        assert!(matches!(sim.cells(), Err(Error::IndexOutOfRange { .. })));
        assert!(sim.steps(1).go().is_err());
    }
}

#[test]
fn only_steps_can_be_started() {
    for device in kernels::devices() {
        let saxpy = kernels::Saxpy::on(&device).unwrap();
        let x = &[1.0_f32];
        let args = [HostArg::scalar(1.0_f32), HostArg::array(&x), HostArg::array(&x)];
        let error = Stepper::start(saxpy.launcher(), &args).unwrap_err().to_string();
        assert!(error.ends_with("it is not a step in time"), "{error}");
    }
}

#[test]
fn simulations_of_nothing_do_nothing() {
    for device in kernels::devices() {
        let mut sim = Heat::on(&device).unwrap().start(&[0.0; 0], 0.1).unwrap();
        sim.run(10).unwrap();
        assert_eq!((sim.p().unwrap().len(), sim.steps_done()), (0, 10));
        assert_eq!(sim.p_device().unwrap().shape(), [0]);
    }
}
