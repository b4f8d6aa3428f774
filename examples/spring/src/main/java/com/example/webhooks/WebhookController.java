package com.example.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.springframework.http.HttpStatus.*;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.*;
import java.io.*;
import java.security.*;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.crypto.*;
import org.slf4j.*;
import org.springframework.dao.DataAccessException;
import org.springframework.http.*;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.util.*;
import org.springframework.web.bind.annotation.*;

/** Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once. */
@RestController
record WebhookController(SecretKey secret, JdbcTemplate jdbc, TransactionOperations transaction, TaskScheduler worker,
        ObjectMapper json) {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookController.class);
    private static final int MAX_BYTES = 1024 * 1024;
    private static final String STORE = """
            INSERT INTO inbox (payment_id, live, event, variant, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""";
    private static final String MONEY = "(?=.*[1-9])[0-9]+([.][0-9]+)?"; // Any other amount is an anomaly for people to look at.
    // Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
    private static final String ADD = "INSERT INTO effect SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?3 = 'reversed' OR "
            + "NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2) ON CONFLICT DO NOTHING";
    // One payment can be partly paid several times, and both refunded and charged back.
    static final Map<String, String> VARIANT = Map.of("payment.partial", "amount_received", "payment.refunded", "type");

    /** An InputStream has the raw bytes, which a String, a Map or a class of yours would not have. */
    @PostMapping("/webhooks")
    ResponseEntity<Void> receive(
            @RequestHeader(name = "X-Service-Signature", defaultValue = "") String header, InputStream input)
            throws IOException, GeneralSecurityException {
        byte[] body = input.readNBytes(MAX_BYTES + 1);
        HttpStatus status = body.length > MAX_BYTES ? PAYLOAD_TOO_LARGE : verify(header, body);
        if (status == OK) {
            Event event = parse(body);
            jdbc.update(STORE, event.id, event.live, event.name, event.variant, body);
            worker.schedule(this::handlePending, Instant.now());
        }
        return ResponseEntity.status(status).build();
    }

    @ExceptionHandler({JsonProcessingException.class, IllegalArgumentException.class})
    @ResponseStatus(BAD_REQUEST)
    void notAnEvent() {}

    @ExceptionHandler(DataAccessException.class)
    @ResponseStatus(SERVICE_UNAVAILABLE)
    void notStored(DataAccessException e) {
        LOG.error(e.getMessage());
    }

    /** The status for a delivery with this header: 200 if it signs these bytes. */
    private HttpStatus verify(String header, byte[] body) throws GeneralSecurityException {
        List<String> times = values(header, "t");
        List<String> signatures = values(header, "v1"); // More than one while a secret is rotated.
        if (times.size() != 1 || !times.get(0).matches("[0-9]{1,12}") || signatures.isEmpty()) return BAD_REQUEST;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(times.get(0))) > 300) return BAD_REQUEST;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(secret);
        mac.update((times.get(0) + ".").getBytes(UTF_8));
        byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(UTF_8);
        boolean signed = signatures.stream().anyMatch(v1 -> MessageDigest.isEqual(expected, v1.getBytes(UTF_8)));
        return signed ? OK : UNAUTHORIZED;
    }

    private static List<String> values(String header, String label) {
        var entries = Pattern.compile("(?:^|,)" + label + "=([^,]+)").matcher(header).results();
        return entries.map(entry -> entry.group(1)).toList();
    }

    /** Redeliveries of an event have the same payment, mode, name and variant. */
    private record Event(String id, boolean live, String name, String variant, String amount, String currency) {}

    private Event parse(byte[] body) throws IOException {
        JsonNode event = json.readTree(body);
        boolean test = event.path("test").booleanValue();
        boolean live = (!event.has("livemode") || event.path("livemode").booleanValue()) && !test;
        String name = event.path("event").textValue();
        if (name == null && test) name = "payment." + event.path("status").textValue();
        String id = event.path(event.path("payment_id").isTextual() ? "payment_id" : "id").textValue();
        Assert.isTrue(StringUtils.hasLength(name) && StringUtils.hasLength(id), "not an event");
        String variant = event.path(VARIANT.getOrDefault(name, "")).asText();
        return new Event(id, live, name, variant, text(event.path("amount")), text(event.path("currency")));
    }
    private static String text(JsonNode value) { return value.isTextual() ? value.textValue() : "JSON " + value; }

    /** Handles what is stored, also by an earlier process. What fails stays pending. */
    @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.MINUTES)
    void handlePending() {
        for (var row : jdbc.queryForList("SELECT id, body FROM inbox WHERE done = 0")) {
            try {
                Event event = parse((byte[]) row.get("body"));
                transaction.executeWithoutResult(status -> handle(row.get("id"), event));
            } catch (IOException | RuntimeException e) {
                LOG.error("event {} stays pending: {}", row.get("id"), e.getMessage());
            }
        }
    }

    /** Does the work of a stored event and marks it as done. */
    private void handle(Object row, Event event) {
        String completed = event.amount.matches(MONEY) ? "fulfilled" : "anomaly";
        String effect = Map.of("payment.completed", completed, "payment.refunded", "reversed").get(event.name);
        if (effect != null) jdbc.update(ADD, event.id, event.live, effect, event.name, event.amount, event.currency);
        jdbc.update("UPDATE inbox SET done = 1 WHERE id = ?", row);
    }
}
