import { PHP } from './php.ts'
import type { Snippet } from './snippet.ts'

/** What follows each status, after the comment sign of a language. */
const REASONS = {
  400: 'missing, malformed, or over 300 s off',
  401: 'wrong signature',
  200: 'only after the delivery is stored',
} as const

/** Frameworks of Go, Java, Ruby, PHP, .NET and Rust. */
export const OTHERS = {
  go: {
    title: 'Go net/http',
    language: 'go',
    open: `http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // the raw bytes
	if err != nil { http.Error(w, "unreadable body", 400); return }`,
    hmac: `mac := hmac.New(sha256.New, []byte(secret))
mac.Write([]byte(t + "."))
mac.Write(body)
valid := hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(v1))`,
    status: `if t == "" || v1 == "" || outsideWindow { w.WriteHeader(400); return } // ${REASONS[400]}
if !valid { w.WriteHeader(401); return } // ${REASONS[401]}
w.WriteHeader(200) // ${REASONS[200]}`,
    close: '})',
    indent: '\t',
  },
  spring: {
    title: 'Spring',
    language: 'java',
    open: `@PostMapping("/webhooks")
public ResponseEntity<Void> webhooks(@RequestBody byte[] body, @RequestHeader HttpHeaders headers)
        throws GeneralSecurityException { // body: the raw bytes, instead of a class that Jackson fills`,
    hmac: `Mac mac = Mac.getInstance("HmacSHA256");
mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
mac.update((t + ".").getBytes(UTF_8));
String expected = HexFormat.of().formatHex(mac.doFinal(body));
boolean valid = MessageDigest.isEqual(expected.getBytes(UTF_8), v1.getBytes(UTF_8));`,
    status: `if (t.isEmpty() || v1.isEmpty() || outsideWindow) return ResponseEntity.status(400).build(); // ${REASONS[400]}
if (!valid) return ResponseEntity.status(401).build(); // ${REASONS[401]}
return ResponseEntity.ok().build(); // ${REASONS[200]}`,
    close: '}',
    indent: '    ',
  },
  rails: {
    title: 'Rails',
    language: 'ruby',
    open: `class WebhooksController < ActionController::API
  def create
    body = request.raw_post # the raw bytes, instead of params`,
    hmac: `expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{t}.".b + body.b)
valid = ActiveSupport::SecurityUtils.secure_compare(expected, v1)`,
    status: `return head 400 if t.blank? || v1.blank? || outside_window # ${REASONS[400]}
return head 401 unless valid # ${REASONS[401]}
head 200 # ${REASONS[200]}`,
    close: `  end
end`,
    indent: '    ',
  },
  sinatra: {
    title: 'Sinatra',
    language: 'ruby',
    open: `post '/webhooks' do
  raw = request.body.read # the raw bytes`,
    hmac: `expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{t}.".b + raw.b)
valid = Rack::Utils.secure_compare(expected, v1)`,
    status: `halt 400 if t.empty? || v1.empty? || outside_window # ${REASONS[400]}
halt 401 unless valid # ${REASONS[401]}
status 200 # ${REASONS[200]}`,
    close: 'end',
    indent: '  ',
  },
  ...PHP,
  aspnet: {
    title: 'ASP.NET Core',
    language: 'csharp',
    open: `app.MapPost("/webhooks", async (HttpRequest request) => {
    using var buffer = new MemoryStream();
    await request.Body.CopyToAsync(buffer);
    var body = buffer.ToArray(); // the raw bytes, instead of a bound model`,
    hmac: `var hash = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), [.. Encoding.UTF8.GetBytes(t + "."), .. body]);
var expected = Convert.ToHexString(hash).ToLowerInvariant();
var valid = CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(v1));`,
    status: `if (t == "" || v1 == "" || outsideWindow) return Results.StatusCode(400); // ${REASONS[400]}
if (!valid) return Results.StatusCode(401); // ${REASONS[401]}
return Results.Ok(); // ${REASONS[200]}`,
    close: '});',
    indent: '    ',
  },
  axum: {
    title: 'axum',
    language: 'rust',
    open: `// let app = Router::new().route("/webhooks", post(webhooks));
// Take Bytes, not Json<T>: body holds the raw bytes.
async fn webhooks(headers: HeaderMap, body: Bytes) -> StatusCode {`,
    hmac: `let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length");
mac.update(t.as_bytes());
mac.update(b".");
mac.update(&body);
let valid = hex::decode(v1).is_ok_and(|v1| mac.verify_slice(&v1).is_ok());`,
    status: `if t.is_empty() || v1.is_empty() || outside_window { return StatusCode::BAD_REQUEST } // ${REASONS[400]}
if !valid { return StatusCode::UNAUTHORIZED } // ${REASONS[401]}
StatusCode::OK // ${REASONS[200]}`,
    close: '}',
    indent: '    ',
  },
} as const satisfies Readonly<Record<string, Snippet>>
