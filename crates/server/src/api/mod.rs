//! The same as JSON, for programs.

use std::sync::Arc;

use axum::Router;

use crate::Room;

/// Everything under `/api/`.
pub(crate) fn router() -> Router<Arc<Room>> {
    Router::new()
}
