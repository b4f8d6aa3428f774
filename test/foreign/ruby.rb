# A receiver in Ruby on WEBrick, as a merchant might write it. Usage: ruby ruby.rb PORT

require 'json'
require 'openssl'
require 'webrick'

SECRET = ENV.fetch('HOOKPROOF_SECRET')
WINDOW_SECONDS = 300
LOCK = Mutex.new
SEEN = {}
LEDGER = Hash.new { |ledger, payment| ledger[payment] = [] }

Refusal = Class.new(StandardError) do
  attr_reader :status

  def initialize(status, message)
    super(message)
    @status = status
  end
end

def verify(body, header)
  entries = header.to_s.split(',').map { |entry| entry.split('=', 2) }
  times = entries.filter_map { |label, value| value if label == 't' }
  signatures = entries.filter_map { |label, value| value if label == 'v1' && !value.to_s.empty? }
  raise Refusal.new(400, 't or v1 is missing, or t stands twice') if times.size != 1 || signatures.empty?
  raise Refusal.new(400, 't is not a Unix time') unless times.first.match?(/\A[0-9]{1,12}\z/)
  raise Refusal.new(400, 't lies outside the window') if (Time.now.to_i - times.first.to_i).abs > WINDOW_SECONDS

  expected = OpenSSL::HMAC.hexdigest('SHA256', SECRET, "#{times.first}.".b + body)
  return if signatures.any? { |one| OpenSSL.secure_compare(expected, one) }

  raise Refusal.new(401, 'the signature is wrong')
end

def read_event(body)
  event = JSON.parse(body.dup.force_encoding('UTF-8').delete_prefix("\uFEFF"), max_nesting: 100)
  raise Refusal.new(400, 'the body is no event') unless event.is_a?(Hash)

  name = event['event'] || (event['test'] == true ? "payment.#{event['status']}" : nil)
  payment = event['payment_id'] || event['id']
  filled = [name, payment].all? { |text| text.is_a?(String) && !text.empty? }
  raise Refusal.new(400, 'the body is no event') unless filled

  [name, payment, event]
rescue JSON::ParserError, ArgumentError, EncodingError
  raise Refusal.new(400, 'the body is not JSON')
end

def take(name, payment, event)
  LOCK.synchronize do
    key = [payment, name, event['amount_received'], event['type']]
    next if SEEN[key]

    SEEN[key] = true
    done = LEDGER[payment].map { |effect| effect[:effect] }
    effect = 'fulfilled' if name == 'payment.completed' && done.empty?
    effect = 'reversed' if name == 'payment.refunded' && !done.include?('reversed')
    next unless effect

    live = event.fetch('livemode', true) == true && event['test'] != true
    LEDGER[payment] << { event: name, effect: effect, amount: event['amount'], currency: event['currency'], livemode: live }
  end
end

class Webhooks < WEBrick::HTTPServlet::AbstractServlet
  def do_POST(request, response)
    body = request.body.to_s.b
    verify(body, request['X-Service-Signature'])
    take(*read_event(body))
    answer(response, 200, { received: true })
  rescue Refusal => e
    answer(response, e.status, { error: e.message })
  end

  def answer(response, status, content)
    response.status = status
    response['Content-Type'] = 'application/json'
    response.body = JSON.generate(content)
  end
end

server = WEBrick::HTTPServer.new(
  BindAddress: '127.0.0.1',
  Port: Integer(ARGV.fetch(0)),
  Logger: WEBrick::Log.new(File::NULL),
  AccessLog: [],
)
server.mount('/webhooks', Webhooks)
server.mount_proc('/observe') do |request, response|
  effects = LOCK.synchronize { LEDGER.fetch(request.query['payment_id'].to_s, []) }
  response['Content-Type'] = 'application/json'
  response.body = JSON.generate({ effects: effects })
end
server.start
