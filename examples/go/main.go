package main

import (
	"cmp"
	"database/sql"
	_ "embed"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"

	_ "modernc.org/sqlite"
)

// FULL: a 200 is a promise, so the row must survive a power cut.
const options = "?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"

//go:embed schema.sql
var schema string

func main() {
	secret := cmp.Or(os.Getenv("HOOKPROOF_SECRET"), os.Getenv("WEBHOOK_SECRET"))
	if secret == "" {
		log.Fatal("HOOKPROOF_SECRET is not set")
	}
	path := os.Getenv("DATABASE")
	if path == "" {
		path = "webhooks.sqlite"
	}
	db, err := sql.Open("sqlite", "file:"+path+options)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := db.Exec(schema); err != nil {
		log.Fatal(err)
	}
	handlePending(db)
	go func() {
		for range time.Tick(time.Minute) {
			handlePending(db)
		}
	}()
	http.HandleFunc("POST /webhooks", receiveWebhooks(db, secret))
	if os.Getenv("OBSERVE") == "1" {
		http.HandleFunc("GET /observe", observe(db))
	}
	// Without time limits, slow clients keep connections forever.
	server := http.Server{Addr: ":" + os.Getenv("PORT"), ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute}
	log.Fatal(server.ListenAndServe())
}

// observe shows the effects of a payment to `hookproof check`.
func observe(db *sql.DB) http.HandlerFunc {
	type effect struct {
		Event    string `json:"event"`
		Effect   string `json:"effect"`
		Amount   string `json:"amount"`
		Currency string `json:"currency"`
		Livemode bool   `json:"livemode"`
	}
	const query = `SELECT event, effect, amount, currency, live FROM effect
		WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid`
	return func(w http.ResponseWriter, r *http.Request) {
		rows, err := db.Query(query, r.URL.Query().Get("payment_id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer rows.Close()
		effects := []effect{}
		for rows.Next() {
			var e effect
			if err := rows.Scan(&e.Event, &e.Effect, &e.Amount, &e.Currency, &e.Livemode); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			effects = append(effects, e)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"effects": effects})
	}
}
