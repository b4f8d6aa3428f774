//! Verifies deliveries with async-stripe-webhook.
use stripe_webhook::{Webhook, WebhookError};
use axum::{body::Bytes, http::{HeaderMap, StatusCode}, routing::post, Router};

async fn webhooks(headers: HeaderMap, body: Bytes) -> StatusCode {
    let secret = std::env::var("WEBHOOK_SECRET").unwrap();
    let header = headers.get("x-service-signature").and_then(|value| value.to_str().ok()).unwrap_or("");
    // The library takes text only.
    let Ok(body) = std::str::from_utf8(&body) else { return StatusCode::BAD_REQUEST };
    match Webhook::construct_event(body, header, &secret) {
        // After the signature, it fails to parse what is not an event of Stripe.
        Ok(_) | Err(WebhookError::BadParse(_)) => StatusCode::OK,
        Err(WebhookError::BadSignature) => StatusCode::UNAUTHORIZED,
        Err(_) => StatusCode::BAD_REQUEST,
    }
}

#[tokio::main]
async fn main() {
    let app = Router::new().route("/webhooks", post(webhooks));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", std::env::var("PORT").unwrap())).await.unwrap();
    axum::serve(listener, app).await.unwrap();
}
