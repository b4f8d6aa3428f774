# Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
#
# It is a Metal controller, because before any other controller's action Rails parses the body and logs its parameters.
class WebhooksController < ActionController::Metal
  WINDOW_SECONDS = 300
  MAX_BYTES = 1.megabyte
  MONEY = /\A(?=.*[1-9])\d+(\.\d+)?\z/ # Any other amount is an anomaly for people to look at.
  SECRET = (ENV['HOOKPROOF_SECRET'] || ENV['WEBHOOK_SECRET']).presence || abort('HOOKPROOF_SECRET is not set')

  # POST /webhooks
  def create
    self.content_type = 'text/plain'
    self.status, self.response_body = receive(request.raw_post, request.get_header('HTTP_X_SERVICE_SIGNATURE').to_s.b)
  end

  private

  # The status of the response, and its text.
  def receive(body, header)
    return [413, 'the body is too large'] if body.bytesize > MAX_BYTES

    refusal = refuse(body, header)
    return refusal if refusal

    key, = Inbox.parse(body)
    return [400, 'the body is not an event'] unless key

    Inbox.create_or_find_by!(key) { |row| row.body = body }
    HandleJob.perform_later
    [200, 'received']
  rescue ActiveRecord::ActiveRecordError => e
    Rails.logger.error(e.message)
    [503, 'try again later']
  end

  # Why a delivery is refused; nil if the header signs these bytes.
  def refuse(body, header)
    values = ->(label) { header.split(',').select { _1.start_with?(label) }.map { _1.delete_prefix(label) } }
    times = values['t=']
    signatures = values['v1='].reject(&:empty?) # More than one while a secret is rotated.
    well_formed = times.one? && times[0].match?(/\A\d{1,12}\z/) && signatures.any?
    return [400, 'the signature header needs one t, in seconds, and a v1'] unless well_formed
    return [400, 't is more than 5 minutes from now'] if (Time.now.to_i - times[0].to_i).abs > WINDOW_SECONDS

    expected = OpenSSL::HMAC.hexdigest('SHA256', SECRET, "#{times[0]}.".b + body.b)
    signed = signatures.any? { |given| ActiveSupport::SecurityUtils.secure_compare(expected, given) }
    [401, 'the signature is wrong'] unless signed
  end

  # What was done for a payment.
  class Effect < ActiveRecord::Base
  end

  # A stored event.
  class Inbox < ActiveRecord::Base
    self.table_name = 'inbox'

    # The key that an event shares with its redeliveries, and the event; nil if the body is not an event.
    def self.parse(body)
      # Ruby refuses half a surrogate pair, which JavaScript writes when it cuts a text. It matters only in the metadata.
      event = JSON.parse(body) rescue JSON.parse(body.b.gsub(/\\ud[89a-f]../i, '\ufffd'))
      name = event['event'] || (event['test'] == true ? "payment.#{event['status']}" : nil)
      id = event['payment_id'] || event['id']
      return unless [name, id].all? { |text| text.is_a?(String) && text.present? }

      # One payment can be partly paid several times, and both refunded and charged back.
      variant = event[{ 'payment.partial' => 'amount_received', 'payment.refunded' => 'type' }[name]]
      live = event.fetch('livemode', true) == true && event['test'] != true # Older events lack livemode and are live.
      [{ payment_id: id, live: live, event: name, variant: variant.to_json }, event]
    rescue JSON::ParserError, TypeError, NoMethodError
      nil
    end

    # Does the work of the event and marks it as done, in one transaction. If that fails, it stays pending.
    def handle
      transaction do
        next if Inbox.where(id: id, done: false).update_all(done: true).zero? # Another process has handled it.

        # Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
        case event
        when 'payment.completed'
          record(amount.match?(MONEY) ? 'fulfilled' : 'anomaly') unless Effect.exists?(payment_id: payment_id, live: live)
        when 'payment.refunded' then record('reversed')
        end
      end
    rescue StandardError => e
      logger.error("#{event} of #{payment_id} stays pending: #{e.message}")
    end

    def amount = text(Inbox.parse(body).last['amount'])

    def text(value) = value.is_a?(String) ? value : value.class.name

    def record(effect)
      details = { event: event, amount: amount, currency: text(Inbox.parse(body).last['currency']) }
      Effect.create_with(details).find_or_create_by!(payment_id: payment_id, live: live, effect: effect)
    end
  end

  # Handles what is stored, also by an earlier process.
  class HandleJob < ActiveJob::Base
    def perform
      Inbox.where(done: false).find_each(&:handle)
    end
  end
end
