-- Lets wrk send a delivery of typical size with an invalid signature.
wrk.method = "POST"
wrk.body = '{"event":"payment.completed","id":"tx_1","metadata":{"note":"' .. string.rep("x", 330) .. '"}}'
wrk.headers["Content-Type"] = "application/json"
wrk.headers["X-Service-Signature"] = "t=1750000000,v1=" .. string.rep("0", 64)
