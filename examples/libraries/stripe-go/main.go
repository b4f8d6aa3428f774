// Verifies deliveries with stripe-go.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/stripe/stripe-go/v85/webhook"
)

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err == nil {
			err = webhook.ValidatePayload(body, r.Header.Get("X-Service-Signature"), secret)
		}
		if errors.Is(err, webhook.ErrNoValidSignature) {
			w.WriteHeader(http.StatusUnauthorized)
		} else if err != nil || !json.Valid(body) {
			w.WriteHeader(http.StatusBadRequest)
		}
	})
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), nil))
}
