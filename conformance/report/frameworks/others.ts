import { PHP } from './php.ts'
import { RUBY } from './ruby.ts'
import type { Snippet } from './snippet.ts'

/** Frameworks of Go, Java, Ruby, PHP, .NET and Rust. */
export const OTHERS = {
  go: {
    title: 'Go net/http',
    language: 'go',
    code: `// import: crypto/hmac, crypto/sha256, encoding/hex, io, net/http, slices, strconv, strings, time
http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // the raw bytes
	t, signatures := "", []string{}
	for _, entry := range strings.Split(r.Header.Get("X-Service-Signature"), ",") {
		label, value, _ := strings.Cut(entry, "=") // no index: an entry without "=" must not panic
		if label == "t" && t == "" { t = value }
		if label == "v1" { signatures = append(signatures, value) }
	}
	seconds, malformed := strconv.ParseUint(t, 10, 40)
	age := time.Now().Unix() - int64(seconds)
	if err != nil || malformed != nil || len(signatures) == 0 { w.WriteHeader(400); return } // missing or malformed
	if age < -300 || age > 300 { w.WriteHeader(400); return } // outside the window
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	isExpected := func(v1 string) bool { return hmac.Equal([]byte(v1), expected) }
	if !slices.ContainsFunc(signatures, isExpected) { w.WriteHeader(401); return } // wrong signature
	w.WriteHeader(200) // only after the JSON is parsed and the event is stored
})`,
  },
  spring: {
    title: 'Spring',
    language: 'java',
    code: `@PostMapping("/webhooks")
public ResponseEntity<Void> webhooks(@RequestBody(required = false) byte[] raw, @RequestHeader HttpHeaders headers)
        throws GeneralSecurityException {
    byte[] body = raw == null ? new byte[0] : raw; // the raw bytes, instead of a class that Jackson fills
    String t = "";
    List<String> signatures = new ArrayList<>();
    for (String entry : String.valueOf(headers.getFirst("X-Service-Signature")).split(",")) {
        if (entry.startsWith("t=") && t.isEmpty()) t = entry.substring(2);
        if (entry.startsWith("v1=")) signatures.add(entry.substring(3));
    }
    if (!t.matches("[0-9]{1,12}") || signatures.isEmpty()) return ResponseEntity.status(400).build(); // malformed
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(t)) > 300) return ResponseEntity.status(400).build();
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    mac.update((t + ".").getBytes(UTF_8));
    byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(UTF_8);
    boolean valid = signatures.stream().anyMatch(v1 -> MessageDigest.isEqual(expected, v1.getBytes(UTF_8)));
    return ResponseEntity.status(valid ? 200 : 401).build(); // 200 only after the event is stored
}`,
  },
  ...RUBY,
  ...PHP,
  aspnet: {
    title: 'ASP.NET Core',
    language: 'csharp',
    code: `app.MapPost("/webhooks", async (HttpRequest request) => {
    using var buffer = new MemoryStream();
    await request.Body.CopyToAsync(buffer);
    var body = buffer.ToArray(); // the raw bytes, instead of a bound model
    var entries = request.Headers["X-Service-Signature"].ToString().Split(',').Select(entry => entry.Split('=', 2));
    string[] ValuesOf(string label) => entries.Where(e => e.Length == 2 && e[0] == label).Select(e => e[1]).ToArray();
    var (t, signatures) = (ValuesOf("t").FirstOrDefault(""), ValuesOf("v1"));
    if (!Regex.IsMatch(t, "^[0-9]{1,12}$") || signatures.Length == 0) return Results.StatusCode(400); // malformed
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(t)) > 300) return Results.StatusCode(400);
    var hash = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), [.. Encoding.UTF8.GetBytes(t + "."), .. body]);
    var expected = Encoding.UTF8.GetBytes(Convert.ToHexString(hash).ToLowerInvariant());
    var valid = signatures.Any(v1 => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(v1), expected));
    return Results.StatusCode(valid ? 200 : 401); // 200 only after the event is stored
});`,
  },
  axum: {
    title: 'axum',
    language: 'rust',
    code: `// let app = Router::new().route("/webhooks", post(webhooks));
// Take Bytes, not Json<T>: body holds the raw bytes.
async fn webhooks(headers: HeaderMap, body: Bytes) -> StatusCode {
    let header = headers.get("x-service-signature").and_then(|value| value.to_str().ok()).unwrap_or("");
    let entries: Vec<(&str, &str)> = header.split(',').filter_map(|entry| entry.split_once('=')).collect();
    let t = entries.iter().find(|(label, _)| *label == "t").map_or("", |(_, value)| *value);
    let mut signatures = entries.iter().filter(|(label, _)| *label == "v1").map(|(_, value)| *value).peekable();
    let is_time = (1..=12).contains(&t.len()) && t.bytes().all(|byte| byte.is_ascii_digit());
    if !is_time || signatures.peek().is_none() { return StatusCode::BAD_REQUEST } // 400: missing or malformed
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    if t.parse::<u64>().map_or(true, |t| now.abs_diff(t) > 300) { return StatusCode::BAD_REQUEST } // outside the window
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length");
    mac.update(t.as_bytes());
    mac.update(b".");
    mac.update(&body);
    let valid = signatures.any(|v1| hex::decode(v1).is_ok_and(|v1| mac.clone().verify_slice(&v1).is_ok()));
    if !valid { return StatusCode::UNAUTHORIZED } // 401: wrong signature
    StatusCode::OK // only after the event is stored
}`,
  },
} as const satisfies Readonly<Record<string, Snippet>>
