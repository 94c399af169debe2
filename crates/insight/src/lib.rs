//! Rollscope: insight.
