// Verifies deliveries of Stripe with stripe-go, as its documentation shows for net/http.
package main

import (
	"io"
	"log"
	"net/http"
	"os"

	"github.com/stripe/stripe-go/v85/webhook"
)

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	// The events of the endpoint may have another API version than the library.
	options := webhook.ConstructEventOptions{IgnoreAPIVersionMismatch: true}
	http.HandleFunc("/webhooks", func(w http.ResponseWriter, r *http.Request) {
		payload, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 65536))
		if err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		header := r.Header.Get("Stripe-Signature")
		if _, err := webhook.ConstructEventWithOptions(payload, header, secret, options); err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
