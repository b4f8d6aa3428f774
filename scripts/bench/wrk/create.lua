wrk.method = "POST"
wrk.body = '{"amount":"25.00","currency":"USD"}'
wrk.headers["Content-Type"] = "application/json"
