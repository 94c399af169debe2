//! Rollscope: import.
