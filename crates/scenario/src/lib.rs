//! Rollscope: scenario.
