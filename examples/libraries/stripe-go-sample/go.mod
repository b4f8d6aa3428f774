module receiver

go 1.26

require github.com/stripe/stripe-go/v85 v85.0.0
