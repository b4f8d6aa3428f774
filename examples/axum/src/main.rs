mod receiver;

use std::sync::{Arc, Mutex};
use std::{env, error::Error, time::Duration};

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use receiver::{App, handle_pending, webhooks};
use rusqlite::Connection;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{sync::Notify, task::spawn_blocking, time::timeout};
use tower_http::timeout::TimeoutLayer;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let secret = env::var("HOOKPROOF_SECRET").or(env::var("WEBHOOK_SECRET")).unwrap_or_default();
    if secret.is_empty() {
        return Err("HOOKPROOF_SECRET is not set".into());
    }
    let database = Connection::open(env::var("DATABASE").unwrap_or("webhooks.sqlite".into()))?;
    database.busy_timeout(Duration::from_secs(10))?;
    database.execute_batch(include_str!("schema.sql"))?;
    let app = Arc::new(App { secret, database: Mutex::new(database), stored: Notify::new() });

    let worker = Arc::clone(&app);
    tokio::spawn(async move {
        loop {
            let app = Arc::clone(&worker);
            if let Ok(Err(error)) = spawn_blocking(move || handle_pending(&app)).await {
                eprintln!("{error}");
            }
            let _ = timeout(Duration::from_secs(60), worker.stored.notified()).await;
        }
    });

    let mut routes = Router::new().route("/webhooks", post(webhooks));
    if env::var("OBSERVE").is_ok_and(|value| value == "1") {
        routes = routes.route("/observe", get(observe));
    }
    // Without a time limit, slow clients keep connections forever.
    let limit = TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, Duration::from_secs(30));
    let port = env::var("PORT").unwrap_or("3000".into());
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    axum::serve(listener, routes.layer(limit).with_state(app)).await?;
    Ok(())
}

#[derive(Deserialize)]
struct Payment {
    payment_id: String,
}

/// Shows the effects of a payment to `hookproof check`.
async fn observe(
    State(app): State<Arc<App>>,
    Query(Payment { payment_id }): Query<Payment>,
) -> Result<Json<Value>, StatusCode> {
    let effects = effects_of(&app, &payment_id).map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    Ok(Json(json!({ "effects": effects })))
}

fn effects_of(app: &App, payment_id: &str) -> rusqlite::Result<Vec<Value>> {
    let query = "SELECT event, effect, amount, currency, live FROM effect
        WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid";
    let database = app.database.lock().unwrap();
    let mut statement = database.prepare(query)?;
    let rows = statement.query_map([payment_id], |row| {
        Ok(json!({
            "event": row.get::<_, String>(0)?,
            "effect": row.get::<_, String>(1)?,
            "amount": row.get::<_, Option<String>>(2)?,
            "currency": row.get::<_, Option<String>>(3)?,
            "livemode": row.get::<_, bool>(4)?,
        }))
    })?;
    rows.collect()
}
