//! All routes: each is named once, and from there come the router and the list of what can be asked
//! for.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::routing::{MethodRouter, get, post};

use crate::Room;

/// One thing that can be asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The path, in which `{name}` stands for a part that is given.
    pub path: String,
}

/// Routes, as a router and as a list.
pub(crate) struct Routes {
    router: Router<Arc<Room>>,
    list: Vec<Route>,
}

impl Routes {
    /// Nothing yet.
    pub(crate) fn new() -> Routes {
        Routes {
            router: Router::new(),
            list: Vec::new(),
        }
    }

    /// A route with a handler that is put together already.
    pub(crate) fn add(
        mut self,
        method: &'static str,
        path: &str,
        handler: MethodRouter<Arc<Room>>,
    ) -> Routes {
        let path = path.to_owned();
        self.router = self.router.route(&path, handler);
        self.list.push(Route { method, path });
        self
    }

    /// Something to look at.
    pub(crate) fn get<H, T>(self, path: &str, handler: H) -> Routes
    where
        H: Handler<T, Arc<Room>>,
        T: 'static,
    {
        self.add("GET", path, get(handler))
    }

    /// Something that changes something.
    pub(crate) fn post<H, T>(self, path: &str, handler: H) -> Routes
    where
        H: Handler<T, Arc<Room>>,
        T: 'static,
    {
        self.add("POST", path, post(handler))
    }

    /// The router.
    pub(crate) fn router(self) -> Router<Arc<Room>> {
        self.router
    }

    /// The list.
    pub(crate) fn list(self) -> Vec<Route> {
        self.list
    }
}
