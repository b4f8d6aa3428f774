/** The last statement of a refusal, in JavaScript and TypeScript. */
const javascript = (refuse: string): string => `let event
try { event = JSON.parse(body.toString()) } catch { ${refuse} } // not JSON
const isText = (value) => typeof value === 'string' && value !== ''
const isNamed = isText(event?.event) || (event?.test === true && isText(event.status))
if (!isNamed || !isText(event.payment_id ?? event.id)) ${refuse} // not an event`

const typescript = (refuse: string): string => javascript(refuse).replace('(value) =>', '(value: unknown) =>')

const python = (refuse: string): string => `# import json
try:
    event = json.loads(body.decode())
except (ValueError, RecursionError):
    return ${refuse}  # not JSON
is_text = lambda value: isinstance(value, str) and value != ""
is_named = isinstance(event, dict) and (
    is_text(event.get("event")) or event.get("test") is True and is_text(event.get("status")))
if not is_named or not is_text(event.get("payment_id", event.get("id"))):
    return ${refuse}  # not an event`

const ruby = (refuse: string): string => `event = begin
  JSON.parse(raw)
rescue JSON::ParserError, EncodingError
  ${refuse} # not JSON
end
is_text = ->(value) { value.is_a?(String) && !value.empty? }
is_named = event.is_a?(Hash) &&
           (is_text.(event["event"]) || event["test"] == true && is_text.(event["status"]))
${refuse} unless is_named && is_text.(event["payment_id"] || event["id"]) # not an event`

const php = (refuse: string): string => `$event = json_decode($body, true); // null when it is not JSON
$is_text = fn ($value) => is_string($value) && $value !== '';
$name = $event['event'] ?? (($event['test'] ?? null) === true ? $event['status'] ?? null : null);
if (!$is_text($name) || !$is_text($event['payment_id'] ?? $event['id'] ?? null)) { ${refuse} } // not an event`

/**
 * The lines that parse a verified body and refuse with 400 what is not an event, for each framework. They belong after
 * the last check of its handler, whose variables they use.
 */
export const PARSING = {
  express: javascript('return res.status(400).end()'),
  fastify: javascript('return reply.code(400).send()'),
  next: typescript('return new Response(null, { status: 400 })'),
  nest: typescript('throw new BadRequestException()'),
  hono: typescript('return c.body(null, 400)'),
  koa: javascript('ctx.throw(400)'),
  flask: python('"", 400'),
  fastapi: python('Response(status_code=400)'),
  django: python('HttpResponse(status=400)'),
  go: `// import: encoding/json
var event map[string]any
if json.Unmarshal(body, &event) != nil { w.WriteHeader(400); return } // not a JSON object
isText := func(value any) bool { text, ok := value.(string); return ok && text != "" }
isNamed := isText(event["event"]) || (event["test"] == true && isText(event["status"]))
id, found := event["payment_id"]
if !found { id = event["id"] }
if !isNamed || !isText(id) { w.WriteHeader(400); return } // not an event`,
  spring: `JsonNode event;
try { event = new ObjectMapper().readTree(body); } // com.fasterxml.jackson.databind
catch (IOException notJson) { return ResponseEntity.status(400).build(); }
Predicate<JsonNode> isText = node -> node.isTextual() && !node.asText().isEmpty();
boolean isSimulated = event.path("test").isBoolean() && event.path("test").asBoolean();
boolean isNamed = isText.test(event.path("event")) || isSimulated && isText.test(event.path("status"));
JsonNode id = event.path(event.has("payment_id") ? "payment_id" : "id");
if (!isNamed || !isText.test(id)) return ResponseEntity.status(400).build(); // not an event`,
  rails: ruby('return head(400)'),
  sinatra: ruby('halt 400'),
  webrick: ruby('next response.status = 400'),
  laravel: php("return response('', 400);"),
  php: php('http_response_code(400); exit;'),
  aspnet: `JsonElement root;
try { root = JsonSerializer.Deserialize<JsonElement>(body); }
catch (JsonException) { return Results.StatusCode(400); } // not JSON
if (root.ValueKind != JsonValueKind.Object) return Results.StatusCode(400);
bool IsText(string key) => root.TryGetProperty(key, out var value)
    && value.ValueKind == JsonValueKind.String && value.GetRawText() != "\\"\\"";
var isSimulated = root.TryGetProperty("test", out var test) && test.ValueKind == JsonValueKind.True;
var id = root.TryGetProperty("payment_id", out _) ? "payment_id" : "id";
if (!IsText(id) || !(IsText("event") || isSimulated && IsText("status"))) return Results.StatusCode(400);`,
  axum: `let Ok(event) = serde_json::from_slice::<serde_json::Value>(&body) else {
    return StatusCode::BAD_REQUEST; // 400: not JSON
};
let is_text = |value: &serde_json::Value| value.as_str().is_some_and(|text| !text.is_empty());
let is_named = is_text(&event["event"]) || (event["test"] == true && is_text(&event["status"]));
let id = event.get("payment_id").unwrap_or(&event["id"]);
if !is_named || !is_text(id) { return StatusCode::BAD_REQUEST } // not an event`,
} as const satisfies Readonly<Record<string, string>>
