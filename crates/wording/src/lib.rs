//! Rollscope: wording.
