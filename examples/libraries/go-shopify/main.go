// Verifies deliveries of Shopify with go-shopify.
package main

import (
	"log"
	"net/http"
	"os"

	shopify "github.com/bold-commerce/go-shopify/v4"
)

func main() {
	app := shopify.App{ApiSecret: os.Getenv("WEBHOOK_SECRET")}
	http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
		if !app.VerifyWebhookRequest(r) {
			http.Error(w, "Invalid Signature", http.StatusUnauthorized)
		}
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
