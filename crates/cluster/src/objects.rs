//! Objects on the server: programs, terms and large results, by the hash of their contents.

use std::time::Duration;

use async_nats::jetstream::object_store::{self, ObjectMetadata, ObjectStore};
use async_nats::jetstream::stream::RawMessageErrorKind;

use crate::link::{ClusterError, Link, TIMED_OUT};

/// How long an object may take.
const OBJECT: Duration = Duration::from_secs(60);

/// The longest piece in which an object is stored, if messages may be as long.
const LONGEST_CHUNK: usize = 128 << 10;

/// The longest object with a result.
pub(crate) const LARGEST_RESULT: usize = 64 << 20;

/// What an object with these contents is called.
pub(crate) fn name_of(contents: &[u8]) -> String {
    blake3::hash(contents).to_hex().to_string()
}

impl Link {
    async fn bucket(&self, bucket: &str) -> Result<ObjectStore, ClusterError> {
        let found = self.context.get_object_store(bucket).await;
        found.map_err(|error| self.failed(&format!("find the bucket {bucket}"), &error))
    }

    /// Keeps an object under the hash of its contents. If it need not be written anew it is left alone.
    pub(crate) async fn put(
        &self,
        bucket: &str,
        contents: &[u8],
        anew: bool,
    ) -> Result<String, ClusterError> {
        let name = name_of(contents);
        let objects = self.bucket(bucket).await?;
        let is_there =
            |info: object_store::ObjectInfo| !info.deleted && info.size == contents.len();
        if anew || !objects.info(&name).await.is_ok_and(is_there) {
            let mut reader = contents;
            let meta = ObjectMetadata {
                name: name.clone(),
                chunk_size: Some(LONGEST_CHUNK.min(self.most_bytes())),
                ..ObjectMetadata::default()
            };
            let put = objects.put(meta, &mut reader);
            let put = tokio::time::timeout(OBJECT, put).await;
            let put = put.map_err(|_| self.failed("store an object", &TIMED_OUT))?;
            put.map_err(|error| self.failed("store an object", &error))?;
        }
        Ok(name)
    }

    /// The object with this name, whole: its contents have this hash, and are no longer than `most`.
    pub(crate) async fn get(
        &self,
        bucket: &str,
        name: &str,
        most: usize,
    ) -> Result<Vec<u8>, ClusterError> {
        let doing = format!("fetch the object {name}");
        let read = self.read(bucket, name, most);
        let read = tokio::time::timeout(OBJECT, read).await;
        let bytes = read.unwrap_or_else(|_| Err(self.failed(&doing, &TIMED_OUT)))?;
        match name_of(&bytes) == name {
            true => Ok(bytes),
            false => Err(self.failed(&doing, &"its contents are not what its name says")),
        }
    }

    /// Reads an object chunk by chunk. The client's own reader waits for ever for chunks that are gone.
    async fn read(&self, bucket: &str, name: &str, most: usize) -> Result<Vec<u8>, ClusterError> {
        let failed =
            |error: &dyn std::fmt::Display| self.failed(&format!("fetch the object {name}"), error);
        let stream = self.stream(&format!("OBJ_{bucket}")).await?;
        let objects = self.bucket(bucket).await?;
        let info = objects.info(name).await.map_err(|error| failed(&error))?;
        if info.deleted {
            return Err(failed(&"it has been removed"));
        }
        if info.size > most {
            return Err(failed(&format!("it is larger than {} MiB", most >> 20)));
        }
        let chunks = format!("$O.{bucket}.C.{}", info.nuid);
        let (mut bytes, mut next) = (Vec::new(), 1);
        while bytes.len() < info.size {
            let chunk = stream.get_first_raw_message_by_subject(&chunks, next);
            let chunk = chunk.await.map_err(|error| match error.kind() {
                RawMessageErrorKind::NoMessageFound => failed(&"parts of it are missing"),
                _ => failed(&error),
            })?;
            bytes.extend_from_slice(&chunk.payload);
            next = chunk.sequence + 1;
        }
        Ok(bytes)
    }

    /// Removes everything from a bucket, also parts of objects that were never finished.
    pub(crate) async fn empty(&self, bucket: &str) -> Result<(), ClusterError> {
        let purged = self.stream(&format!("OBJ_{bucket}")).await?.purge().await;
        purged
            .map(drop)
            .map_err(|error| self.failed(&format!("empty the bucket {bucket}"), &error))
    }

    /// Removes an object that nobody needs any more.
    pub(crate) async fn remove(&self, bucket: &str, name: &str) {
        if let Ok(objects) = self.bucket(bucket).await {
            // It is gone in a month anyway.
            let _ = objects.delete(name).await;
        }
    }
}
