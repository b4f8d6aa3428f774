module receiver

go 1.26.0

require github.com/bold-commerce/go-shopify/v4 v4.7.0

require (
	github.com/google/go-querystring v1.0.0 // indirect
	github.com/shopspring/decimal v0.0.0-20200105231215-408a2507e114 // indirect
)
