//! Rollscope: engine.
