//! Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
use axum::{body::Bytes, extract::State, http::HeaderMap, http::StatusCode};
use hmac::{Hmac, KeyInit, Mac};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::value::RawValue;
use sha2::Sha256;
use std::{collections::HashMap, sync::Arc, sync::Mutex, time::UNIX_EPOCH};
use tokio::{sync::Notify, task::spawn_blocking};

const WINDOW_SECONDS: u64 = 300;
const STORE: &str =
    "INSERT INTO inbox (payment_id, live, event, variant, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
const NEXT: &str = "SELECT id, body FROM inbox WHERE done = 0 AND id > ? ORDER BY id LIMIT 1";
// Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
const ADD: &str = "INSERT INTO effect SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?3 = 'reversed'
    OR NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2) ON CONFLICT DO NOTHING";

type Refusal = (StatusCode, &'static str);
type Key = (String, bool, String, String); // The id of the payment, live or test, the name and the variant.

pub struct App {
    pub secret: String,
    pub database: Mutex<Connection>,
    pub stored: Notify,
}

/// The key that the redeliveries of an event share, its amount and its currency; `None` if the body is not an event.
fn parse(body: &[u8]) -> Option<(Key, String, String)> {
    // Raw values: only the fields that are read are decoded.
    let event: HashMap<String, Box<RawValue>> = serde_json::from_slice(body).ok()?;
    let raw = |field| event.get(field).map_or("null", |json| json.get());
    let text = |field| serde_json::from_str::<String>(raw(field)).ok();
    let test = raw("test") == "true";
    let simulated = || text("status").filter(|_| test).map(|status| format!("payment.{status}"));
    let name = text("event").or_else(simulated).filter(|name| !name.is_empty())?;
    let id = text("payment_id").or_else(|| text("id")).filter(|id| !id.is_empty())?;
    // One payment can be partly paid several times, and both refunded and charged back.
    let variant = match name.as_str() {
        "payment.partial" => text("amount_received"),
        "payment.refunded" => text("type"),
        _ => None,
    };
    let live = !test && (!event.contains_key("livemode") || raw("livemode") == "true");
    let shown = |field| text(field).unwrap_or_else(|| format!("JSON: {}", raw(field)));
    Some(((id, live, name, variant.unwrap_or_default()), shown("amount"), shown("currency")))
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
    let ((id, live, name, variant), ..) = parse(&body).ok_or((StatusCode::BAD_REQUEST, "the body is not an event"))?;
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

/// Any other amount is an anomaly for people to look at.
fn is_money(amount: &str) -> bool {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number(whole) && is_number(fraction) && amount.contains(|digit| ('1'..='9').contains(&digit))
}

/// Does the work of a stored event and marks it as done, in one transaction.
fn handle(database: &mut Connection, row: i64, body: Vec<u8>) -> rusqlite::Result<()> {
    let transaction = database.transaction()?;
    let Some(((id, live, name, _), amount, currency)) = parse(&body) else { return Ok(()) };
    let add = |effect| transaction.execute(ADD, params![id, live, effect, name, amount, currency]);
    match name.as_str() {
        "payment.completed" => add(if is_money(&amount) { "fulfilled" } else { "anomaly" })?,
        "payment.refunded" => add("reversed")?,
        _ => 0,
    };
    transaction.execute("UPDATE inbox SET done = 1 WHERE id = ?", [row])?;
    transaction.commit()
}
