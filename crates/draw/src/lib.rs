//! Rollscope: draw.
