import type { Snippet } from './snippet.ts'

/** Frameworks of Go, Java, Ruby, PHP, .NET and Rust. */
export const OTHERS = {
  go: {
    title: 'Go net/http',
    language: 'go',
    code: `http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // the raw bytes
	if err != nil || !verified(body, r.Header) { w.WriteHeader(401); return }
	w.WriteHeader(http.StatusOK)
})`,
  },
  spring: {
    title: 'Spring',
    language: 'java',
    code: `@PostMapping("/webhooks")
public ResponseEntity<Void> webhooks(@RequestBody byte[] body, @RequestHeader HttpHeaders headers) {
    // body: the raw bytes, instead of a class that Jackson fills
    return ResponseEntity.ok().build();
}`,
  },
  rails: {
    title: 'Rails',
    language: 'ruby',
    code: `class WebhooksController < ActionController::API
  def create
    body = request.raw_post # the raw bytes, instead of params
    head :ok
  end
end`,
  },
  sinatra: {
    title: 'Sinatra',
    language: 'ruby',
    code: `post '/webhooks' do
  raw = request.body.read # the raw bytes
  status 200
end`,
  },
  laravel: {
    title: 'Laravel',
    language: 'php',
    code: `// routes/api.php
Route::post('/webhooks', function (Request $request) {
    $body = $request->getContent(); // the raw bytes, instead of $request->all()
    return response('', 200);
});`,
  },
  php: {
    title: 'PHP',
    language: 'php',
    code: `$body = file_get_contents('php://input'); // the raw bytes
// verify $body, store it, then answer
http_response_code(200);`,
  },
  aspnet: {
    title: 'ASP.NET Core',
    language: 'csharp',
    code: `app.MapPost("/webhooks", async (HttpRequest request) => {
    using var buffer = new MemoryStream();
    await request.Body.CopyToAsync(buffer);
    var body = buffer.ToArray(); // the raw bytes, instead of a bound model
    return Results.Ok();
});`,
  },
  axum: {
    title: 'axum',
    language: 'rust',
    code: `// Take Bytes, not Json<T>: body holds the raw bytes.
async fn webhooks(headers: HeaderMap, body: Bytes) -> StatusCode {
    StatusCode::OK
}
let app = Router::new().route("/webhooks", post(webhooks));`,
  },
} as const satisfies Readonly<Record<string, Snippet>>
