import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

final class Main {
    private static final String INBOX = """
            CREATE TABLE IF NOT EXISTS inbox (id INTEGER PRIMARY KEY, payment_id TEXT, live INTEGER, event TEXT,
                variant TEXT, body BLOB, done INTEGER DEFAULT 0, UNIQUE (payment_id, live, event, variant))""";
    private static final String PENDING = "CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0";
    private static final String EFFECT = """
            CREATE TABLE IF NOT EXISTS effect (payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT,
                currency TEXT, PRIMARY KEY (payment_id, live, effect))""";

    public static void main(String[] arguments) throws Exception {
        Map<String, String> environment = System.getenv();
        String secret = environment.getOrDefault("HOOKPROOF_SECRET", environment.getOrDefault("WEBHOOK_SECRET", ""));
        if (secret.isEmpty()) throw new IllegalStateException("HOOKPROOF_SECRET is not set");
        DataSource database = open(environment.getOrDefault("DATABASE", "webhooks.sqlite"));
        // An open connection keeps SQLite from writing the log back whenever a delivery closes its own.
        Connection connection = database.getConnection();
        for (String statement : List.of(INBOX, PENDING, EFFECT)) connection.createStatement().execute(statement);

        var worker = Executors.newSingleThreadScheduledExecutor();
        var key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
        var receiver = new Receiver(key, database, worker);
        worker.scheduleWithFixedDelay(receiver::handlePending, 0, 1, TimeUnit.MINUTES);

        System.setProperty("sun.net.httpserver.nodelay", "true");
        // Without a time limit, in seconds, slow clients keep their threads forever.
        System.setProperty("sun.net.httpserver.maxReqTime", "30");
        int port = Integer.parseInt(environment.getOrDefault("PORT", "3000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 512);
        server.setExecutor(Executors.newFixedThreadPool(64));
        server.createContext("/webhooks", receiver);
        if ("1".equals(environment.get("OBSERVE"))) {
            server.createContext("/observe", exchange -> observe(exchange, database));
        }
        server.start();
    }

    private static DataSource open(String path) {
        var config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL); // A 200 is a promise: it must survive a power cut.
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        config.setBusyTimeout(10_000);
        var database = new SQLiteDataSource(config);
        database.setUrl("jdbc:sqlite:" + path);
        return database;
    }

    /** Shows the effects of a payment to `hookproof check`. */
    private static void observe(HttpExchange exchange, DataSource database) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        String id = URLDecoder.decode(query.substring(query.indexOf('=') + 1), StandardCharsets.UTF_8);
        String sql = "SELECT event, effect, amount, currency, live FROM effect "
                + "WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid";
        var effects = new ArrayList<Map<String, Object>>();
        try (exchange; var connection = database.getConnection(); var statement = connection.prepareStatement(sql)) {
            statement.setString(1, id);
            var rows = statement.executeQuery();
            while (rows.next()) {
                effects.add(Map.of("event", rows.getString(1), "effect", rows.getString(2),
                        "amount", String.valueOf(rows.getString(3)), "currency", String.valueOf(rows.getString(4)),
                        "livemode", rows.getBoolean(5)));
            }
            byte[] json = new ObjectMapper().writeValueAsBytes(Map.of("effects", effects));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, json.length);
            exchange.getResponseBody().write(json);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
