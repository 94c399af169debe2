//! Rollscope: player.
