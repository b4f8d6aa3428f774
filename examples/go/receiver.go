// Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
package main

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	windowSeconds = 300
	store         = "INSERT INTO inbox (payment_id, live, event, variant, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
	markDone      = "UPDATE inbox SET done = 1 WHERE payment_id = ?1 AND live = ?2 AND event = ?3 AND variant = ?4"
	nextPending   = "SELECT rowid, body FROM inbox WHERE done = 0 AND rowid > ? ORDER BY rowid LIMIT 1"
)

// Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
var effects = map[string]string{
	"payment.completed": `INSERT INTO effect SELECT ?1, ?2, 'fulfilled', ?3, ?5, ?6
		WHERE NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2);`,
	"payment.refunded": "INSERT INTO effect VALUES (?1, ?2, 'reversed', ?3, ?5, ?6) ON CONFLICT DO NOTHING;",
}

// refusal returns the status with which to refuse a delivery, or 0 if its header signs these bytes.
func refusal(secret, header string, body []byte) int {
	values := map[string][]string{}
	for entry := range strings.SplitSeq(header, ",") {
		label, value, _ := strings.Cut(entry, "=")
		values[label] = append(values[label], value)
	}
	t, signatures := strings.Join(values["t"], ","), values["v1"] // Several signatures while a secret is rotated.
	signed, err := strconv.ParseUint(t, 10, 40)                   // Fails unless there is one t, in digits.
	if age := time.Now().Unix() - int64(signed); err != nil || max(age, -age) > windowSeconds || len(signatures) == 0 {
		return http.StatusBadRequest
	}
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s.%s", t, body)
	expected := fmt.Appendf(nil, "%x", mac.Sum(nil))
	if slices.ContainsFunc(signatures, func(given string) bool { return hmac.Equal(expected, []byte(given)) }) {
		return 0
	}
	return http.StatusUnauthorized
}

type event struct {
	Event, ID, Status, Type, Amount, Currency string
	PaymentID                                 string `json:"payment_id"`
	AmountReceived                            string `json:"amount_received"`
	Livemode                                  *bool
	Test                                      bool
}

// read parses a verified body. The key is what an event shares with its redeliveries; nil if the body is no event.
func read(body []byte) (e event, key []any) {
	err := json.Unmarshal(body, &e)
	if e.Event == "" && e.Test {
		e.Event = "payment." + e.Status
	}
	id, live := cmp.Or(e.PaymentID, e.ID), !e.Test && (e.Livemode == nil || *e.Livemode)
	if err != nil || e.Event == "" || id == "" {
		return e, nil
	}
	// One payment can be partly paid several times, and both refunded and charged back.
	variant := map[string]string{"payment.partial": e.AmountReceived, "payment.refunded": e.Type}[e.Event]
	return e, []any{id, live, e.Event, variant}
}

// receiveWebhooks is the handler of the route.
func receiveWebhooks(db *sql.DB, secret string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		header := strings.Join(r.Header.Values("X-Service-Signature"), ",")
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // The raw bytes.
		if err != nil {
			http.Error(w, "the body is incomplete or too large", http.StatusRequestEntityTooLarge)
		} else if status := refusal(secret, header, body); status != 0 {
			http.Error(w, "the signature header is malformed, stale or wrong", status)
		} else if _, key := read(body); key == nil {
			http.Error(w, "the body is not an event", http.StatusBadRequest)
		} else if _, err := db.Exec(store, append(key, body)...); err != nil {
			log.Print(err)
			http.Error(w, "try again later", http.StatusServiceUnavailable)
		} else {
			w.WriteHeader(http.StatusOK)
			go handle(db, body)
		}
	}
}

// handle does the work of a stored event and marks it as done, in one transaction. If that fails, it stays pending.
func handle(db *sql.DB, body []byte) {
	e, key := read(body)
	tx, err := db.Begin()
	if err == nil {
		defer tx.Rollback() // Does nothing after the commit.
		if _, err = tx.Exec(effects[e.Event]+markDone, append(key, e.Amount, e.Currency)...); err == nil {
			err = tx.Commit()
		}
	}
	if err != nil {
		log.Printf("%s of %s stays pending: %v", e.Event, key[0], err)
	}
}

// handlePending handles what an earlier process left behind, and what failed.
func handlePending(db *sql.DB) {
	var body []byte
	for id := 0; db.QueryRow(nextPending, id).Scan(&id, &body) == nil; {
		handle(db, body)
	}
}
