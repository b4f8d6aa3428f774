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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	store       = "INSERT INTO inbox (payment_id, live, event, variant, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
	markDone    = "UPDATE inbox SET done = 1 WHERE payment_id = ?1 AND live = ?2 AND event = ?3 AND variant = ?4"
	nextPending = "SELECT rowid, body FROM inbox WHERE done = 0 AND rowid > ? ORDER BY rowid LIMIT 1"
)

// Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
var effects = map[string]string{
	"payment.completed": `INSERT INTO effect SELECT ?1, ?2, iif(?7, 'fulfilled', 'anomaly'), ?3, ?5, ?6
		WHERE NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2);`,
	"payment.refunded": "INSERT INTO effect VALUES (?1, ?2, 'reversed', ?3, ?5, ?6) ON CONFLICT DO NOTHING;",
}
var money = regexp.MustCompile(`^(\d*[1-9]\d*(\.\d+)?|\d+\.\d*[1-9]\d*)$`)                  // Any other amount is an anomaly for people to look at.
var text = func(value json.RawMessage) (s string) { _ = json.Unmarshal(value, &s); return } // Empty unless it is text.

// refusal returns the status with which to refuse a delivery, or 0 if its header signs these bytes.
func refusal(secret, header string, body []byte) int {
	values := map[string][]string{}
	for entry := range strings.SplitSeq(header, ",") {
		label, value, _ := strings.Cut(entry, "=")
		values[label] = append(values[label], value)
	}
	t, signatures := strings.Join(values["t"], ","), values["v1"] // Several signatures while a secret is rotated.
	signed, err := strconv.ParseUint(t, 10, 40)                   // Fails unless there is one t, in digits.
	if age := time.Now().Unix() - int64(signed); err != nil || max(age, -age) > 300 || len(signatures) == 0 {
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

// event has the fields of a body. A struct would also take fields whose names differ in capitals.
type event map[string]json.RawMessage

// read parses a verified body. The key is what an event shares with its redeliveries; nil if the body is no event.
func read(body []byte) (e event, key []any) {
	err := json.Unmarshal(body, &e)
	name, test := text(e["event"]), string(e["test"]) == "true"
	if name == "" && test {
		name = "payment." + text(e["status"])
	}
	mode, hasMode := e["livemode"] // Older events lack it and are live.
	id, live := cmp.Or(text(e["payment_id"]), text(e["id"])), (!hasMode || string(mode) == "true") && !test
	if err != nil || name == "" || id == "" {
		return e, nil
	}
	// One payment can be partly paid several times, and both refunded and charged back.
	variant := map[string]string{"payment.partial": text(e["amount_received"]), "payment.refunded": text(e["type"])}[name]
	return e, []any{id, live, name, variant}
}

// receiveWebhooks is the handler of the route.
func receiveWebhooks(db *sql.DB, secret string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // The raw bytes.
		if err != nil {
			http.Error(w, "the body is incomplete or too large", http.StatusRequestEntityTooLarge)
		} else if status := refusal(secret, strings.Join(r.Header.Values("X-Service-Signature"), ","), body); status != 0 {
			http.Error(w, "the signature header is malformed, stale or wrong", status)
		} else if _, key := read(body); key == nil {
			http.Error(w, "the body is not an event", http.StatusBadRequest)
		} else if _, err := db.Exec(store, append(key, body)...); err != nil {
			log.Print(err)
			http.Error(w, "try again later", http.StatusServiceUnavailable)
		} else {
			go handle(db, body) // The response does not wait for it.
		}
	}
}

// handle does the work of a stored event and marks it as done, in one transaction. If that fails, it stays pending.
func handle(db *sql.DB, body []byte) {
	e, key := read(body)
	amount, name := text(e["amount"]), key[2].(string)
	values := append(key, amount, text(e["currency"]), money.MatchString(amount))
	tx, err := db.Begin()
	if err == nil {
		defer tx.Rollback() // Does nothing after the commit.
		if _, err = tx.Exec(effects[name]+markDone, values...); err == nil {
			err = tx.Commit()
		}
	}
	if err != nil {
		log.Printf("%s of %s stays pending: %v", name, key[0], err)
	}
}

// handlePending handles what an earlier process left behind, and what failed.
func handlePending(db *sql.DB) {
	for id, body := 0, []byte(nil); db.QueryRow(nextPending, id).Scan(&id, &body) == nil; {
		handle(db, body)
	}
}
