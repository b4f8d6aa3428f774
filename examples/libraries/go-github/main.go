// Verifies deliveries of GitHub with go-github.
package main

import (
	"log"
	"net/http"
	"os"

	"github.com/google/go-github/v93/github"
)

func main() {
	secret := []byte(os.Getenv("WEBHOOK_SECRET"))
	http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
		if _, err := github.ValidatePayload(r, secret); err != nil {
			http.Error(w, "invalid payload", http.StatusUnauthorized)
		}
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
