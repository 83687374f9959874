//! Nothing: the tests are all that this package has.
