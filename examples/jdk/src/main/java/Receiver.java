import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.*;
import com.sun.net.httpserver.*;
import java.io.IOException;
import java.security.*;
import java.sql.*;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.Executor;
import java.util.regex.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;

/** Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once. */
record Receiver(SecretKeySpec secret, DataSource database, Executor worker) implements HttpHandler {
    static final int MAX_BYTES = 1024 * 1024;
    static final String STORE = "INSERT OR IGNORE INTO inbox (payment_id, live, event, variant, body) VALUES (?, ?, ?, ?, ?)";
    static final String MONEY = "(?=.*[1-9])[0-9]+([.][0-9]+)?"; // Any other amount is an anomaly for people to look at.
    // Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
    static final String ADD = "INSERT INTO effect SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?3 = 'reversed' OR NOT EXISTS "
            + "(SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2) ON CONFLICT DO NOTHING";
    // One payment can be partly paid several times, and both refunded and charged back.
    static final Map<String, String> VARIANT = Map.of("payment.partial", "amount_received", "payment.refunded", "type");
    static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** An event; its redeliveries have the same payment, mode, name and variant. */
    record Event(String id, boolean live, String name, String variant, String amount, String currency) {
        static Event parse(byte[] body) throws IOException {
            JsonNode json = JSON.readTree(body);
            boolean test = json.path("test").booleanValue();
            boolean live = (!json.has("livemode") || json.path("livemode").booleanValue()) && !test;
            String name = json.path("event").textValue();
            if (name == null && test) name = "payment." + json.path("status").textValue();
            String id = json.path(json.path("payment_id").isTextual() ? "payment_id" : "id").textValue();
            if (name == null || name.isEmpty() || id == null || id.isEmpty()) throw new IOException("not an event");
            String variant = json.path(VARIANT.getOrDefault(name, "")).asText();
            return new Event(id, live, name, variant, text(json.path("amount")), text(json.path("currency")));
        }
        static String text(JsonNode value) { return value.isTextual() ? value.textValue() : "JSON " + value; }
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(MAX_BYTES + 1); // The raw bytes.
            List<String> headers = exchange.getRequestHeaders().getOrDefault("X-Service-Signature", List.of());
            int status = !exchange.getRequestMethod().equals("POST") ? 405
                    : body.length > MAX_BYTES ? 413 : receive(String.join(",", headers), body);
            exchange.sendResponseHeaders(status, -1); // Without a body.
            if (status == 200) worker.execute(this::handlePending);
        }
    }

    private int receive(String header, byte[] body) {
        try (Connection connection = database.getConnection()) {
            int status = verify(header, body);
            if (status != 200) return status;
            Event event = Event.parse(body);
            execute(connection, STORE, event.id, event.live, event.name, event.variant, body);
            return 200;
        } catch (IOException e) {
            return 400; // It is not an event.
        } catch (SQLException | GeneralSecurityException e) {
            System.err.println(e.getMessage());
            return 503; // Asks the sender to try again.
        }
    }

    /** The status for a delivery with this header: 200 if it signs these bytes. */
    private int verify(String header, byte[] body) throws GeneralSecurityException {
        List<String> times = values(header, "t");
        List<String> signatures = values(header, "v1"); // More than one while a secret is rotated.
        if (times.size() != 1 || !times.get(0).matches("[0-9]{1,12}") || signatures.isEmpty()) return 400;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(times.get(0))) > 300) return 400;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(secret);
        mac.update((times.get(0) + ".").getBytes(UTF_8));
        byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(UTF_8);
        return signatures.stream().anyMatch(v1 -> MessageDigest.isEqual(expected, v1.getBytes(UTF_8))) ? 200 : 401;
    }

    private static List<String> values(String header, String label) {
        Matcher entries = Pattern.compile("(?:^|,)" + label + "=([^,]+)").matcher(header);
        return entries.results().map(entry -> entry.group(1)).toList();
    }

    /** Handles what is stored, also by an earlier process. What fails stays pending. */
    void handlePending() {
        try (var connection = database.getConnection();
                var rows = connection.createStatement().executeQuery("SELECT id, body FROM inbox WHERE done = 0")) {
            while (rows.next()) handle(rows.getLong(1), rows.getBytes(2));
        } catch (SQLException | RuntimeException e) { // A scheduled task that throws never runs again.
            System.err.println(e.getMessage());
        }
    }

    /** Does the work of a stored event and marks it as done, in one transaction. */
    private void handle(long row, byte[] body) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            Event event = Event.parse(body);
            String completed = event.amount.matches(MONEY) ? "fulfilled" : "anomaly";
            String effect = Map.of("payment.completed", completed, "payment.refunded", "reversed").get(event.name);
            if (effect != null) execute(connection, ADD, event.id, event.live, effect, event.name, event.amount, event.currency);
            execute(connection, "UPDATE inbox SET done = 1 WHERE id = ?", row);
            connection.commit();
        } catch (SQLException | IOException e) {
            System.err.println("event " + row + " stays pending: " + e.getMessage());
        }
    }

    private static void execute(Connection connection, String sql, Object... values) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
            statement.executeUpdate();
        }
    }
}
