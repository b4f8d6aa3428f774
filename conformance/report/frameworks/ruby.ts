import type { Snippet } from './snippet.ts'

const verifying = (
  refuse: (status: 400 | 401) => string,
  compare: string,
  header = 'request.env["HTTP_X_SERVICE_SIGNATURE"]',
): string =>
  `entries = ${header}.to_s.split(",").map { |entry| entry.split("=", 2) }
t = entries.assoc("t")&.at(1).to_s
signatures = entries.filter_map { |label, value| value if label == "v1" }
${refuse(400)} unless t.match?(/\\A[0-9]{1,12}\\z/) && signatures.any? # missing or malformed
${refuse(400)} if (Time.now.to_i - t.to_i).abs > 300 # outside the window
expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{t}.".b + raw.b)
${refuse(401)} unless signatures.any? { |v1| ${compare}(expected, v1) } # wrong signature
# Now parse the JSON and store the event; answer 200 only after that.`

/** Frameworks of Ruby. */
export const RUBY = {
  rails: {
    title: 'Rails',
    language: 'ruby',
    code: `class WebhooksController < ActionController::API
  def create
    raw = request.raw_post # the raw bytes, instead of params
${verifying((status) => `return head ${status}`, 'ActiveSupport::SecurityUtils.secure_compare').replace(/^/gm, '    ')}
    head 200
  end
end`,
  },
  sinatra: {
    title: 'Sinatra',
    language: 'ruby',
    code: `require 'openssl'
post '/webhooks' do
  raw = request.body.read # the raw bytes
${verifying((status) => `halt ${status}`, 'Rack::Utils.secure_compare').replace(/^/gm, '  ')}
  status 200
end`,
  },
  webrick: {
    title: 'WEBrick',
    language: 'ruby',
    code: `require "openssl"
server.mount_proc "/webhooks" do |request, response|
  next response.status = 405 unless request.request_method == 'POST'
  raw = request.body.to_s # the raw bytes
${verifying((status) => `next response.status = ${status}`, 'OpenSSL.secure_compare', 'request["X-Service-Signature"]').replace(/^/gm, '  ')}
  response.status = 200
end`,
  },
} as const satisfies Readonly<Record<string, Snippet>>
