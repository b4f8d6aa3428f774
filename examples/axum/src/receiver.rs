//! Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
use axum::{body::Bytes, extract::State, http::HeaderMap, http::StatusCode};
use hmac::{Hmac, KeyInit, Mac};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Deserialize;
use sha2::Sha256;
use std::{sync::Arc, sync::Mutex, time::UNIX_EPOCH};
use tokio::{sync::Notify, task::spawn_blocking};

const WINDOW_SECONDS: u64 = 300;
const STORE: &str =
    "INSERT INTO inbox (payment_id, live, event, variant, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
const NEXT: &str = "SELECT id, body FROM inbox WHERE done = 0 AND id > ? ORDER BY id LIMIT 1";
// Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
const FULFILL: &str = "INSERT INTO effect SELECT ?1, ?2, 'fulfilled', ?3, ?4, ?5
    WHERE NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2)";
const REVERSE: &str = "INSERT INTO effect VALUES (?1, ?2, 'reversed', ?3, ?4, ?5) ON CONFLICT DO NOTHING";

type Refusal = (StatusCode, &'static str);
type Key = (String, bool, String, String); // The id of the payment, live or test, the name and the variant.

pub struct App {
    pub secret: String,
    pub database: Mutex<Connection>,
    pub stored: Notify,
}

/// The fields that the receiver reads. Serde skips the others, whatever they are.
#[derive(Deserialize)]
struct Event {
    event: Option<String>,
    payment_id: Option<String>,
    id: Option<String>,
    status: Option<String>,
    r#type: Option<String>,
    amount: Option<String>,
    amount_received: Option<String>,
    currency: Option<String>,
    livemode: Option<bool>,
    test: Option<bool>,
}

/// The event of a verified body, and the key that its redeliveries share; `None` if it is not an event.
fn parse(body: &[u8]) -> Option<(Key, Event)> {
    let event: Event = serde_json::from_slice(body).ok()?;
    let test = event.test == Some(true);
    let simulated = || event.status.as_ref().filter(|_| test).map(|status| format!("payment.{status}"));
    let name = event.event.clone().or_else(simulated).filter(|name| !name.is_empty())?;
    let id = event.payment_id.clone().or_else(|| event.id.clone()).filter(|id| !id.is_empty())?;
    // One payment can be partly paid several times, and both refunded and charged back.
    let variant = match name.as_str() {
        "payment.partial" => event.amount_received.clone(),
        "payment.refunded" => event.r#type.clone(),
        _ => None,
    };
    Some(((id, event.livemode != Some(false) && !test, name, variant.unwrap_or_default()), event))
}

/// Refuses a delivery unless its header signs these bytes.
fn verify(secret: &str, header: &str, body: &[u8]) -> Result<(), Refusal> {
    const MALFORMED: Refusal = (StatusCode::BAD_REQUEST, "the header needs one t, in seconds, and a v1");
    let values = |label| header.split(',').filter_map(move |entry| entry.strip_prefix(label));
    let mut signatures = values("v1=").filter(|value| !value.is_empty()).peekable();
    let t = values("t=").collect::<Vec<_>>().join(","); // Not a number unless there is one.
    let time: u64 = t.parse().ok().filter(|_| !t.starts_with('+')).ok_or(MALFORMED)?;
    signatures.peek().ok_or(MALFORMED)?;
    let now = UNIX_EPOCH.elapsed().map_err(unavailable)?.as_secs();
    if now.abs_diff(time) > WINDOW_SECONDS {
        return Err((StatusCode::BAD_REQUEST, "t is more than 5 minutes from now"));
    }
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(unavailable)?;
    let mac = mac.chain_update(&t).chain_update(".").chain_update(body);
    // Several while a secret is rotated. `verify_slice` compares in constant time.
    let signs = |given| hex::decode(given).is_ok_and(|given| mac.clone().verify_slice(&given).is_ok());
    signatures.any(signs).then_some(()).ok_or((StatusCode::UNAUTHORIZED, "the signature is wrong"))
}

/// The handler of the route. `Bytes` is the raw body, of up to 2 MB: `Json` would lose the bytes.
pub async fn webhooks(State(app): State<Arc<App>>, headers: HeaderMap, body: Bytes) -> Result<&'static str, Refusal> {
    let header = headers.get("x-service-signature").and_then(|value| value.to_str().ok()).unwrap_or("");
    verify(&app.secret, header, &body)?;
    let ((id, live, name, variant), _) = parse(&body).ok_or((StatusCode::BAD_REQUEST, "the body is not an event"))?;
    let store = move || {
        let row = (id, live, name, variant, &body[..]);
        app.database.lock().unwrap().execute(STORE, row).map(|_| app.stored.notify_one())
    };
    spawn_blocking(store).await.map_err(unavailable)?.map(|()| "received").map_err(unavailable)
}

fn unavailable(error: impl std::fmt::Display) -> Refusal {
    eprintln!("{error}");
    (StatusCode::SERVICE_UNAVAILABLE, "try again later")
}

/// Handles what is stored, also by an earlier process. What fails stays pending.
pub fn handle_pending(app: &App) -> rusqlite::Result<()> {
    let next = |last| app.database.lock().unwrap().query_row(NEXT, [last], |row| row.try_into()).optional();
    let mut last: i64 = 0;
    while let Some((id, body)) = next(last)? {
        if let Err(error) = handle(&mut app.database.lock().unwrap(), id, body) {
            eprintln!("event {id} stays pending: {error}");
        }
        last = id;
    }
    Ok(())
}

/// Does the work of a stored event and marks it as done, in one transaction.
fn handle(database: &mut Connection, row: i64, body: Vec<u8>) -> rusqlite::Result<()> {
    let transaction = database.transaction()?;
    let Some(((id, live, name, _), event)) = parse(&body) else { return Ok(()) };
    let effect = params![id, live, name, event.amount, event.currency];
    match name.as_str() {
        "payment.completed" => transaction.execute(FULFILL, effect)?,
        "payment.refunded" => transaction.execute(REVERSE, effect)?,
        _ => 0,
    };
    transaction.execute("UPDATE inbox SET done = 1 WHERE id = ?", [row])?;
    transaction.commit()
}
