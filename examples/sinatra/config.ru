require_relative 'receiver'

if ENV['OBSERVE'] == '1'
  # Shows the effects of a payment to `hookproof check`.
  Receiver.get '/observe' do
    rows = Receiver.sql(<<~SQL, [params['payment_id'].to_s])
      SELECT event, effect, amount, currency, live FROM effect
      WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid
    SQL
    content_type :json
    { effects: rows.map { |row| %w[event effect amount currency].zip(row).to_h.merge(livemode: row[4] == 1) } }.to_json
  end
end

run Receiver
