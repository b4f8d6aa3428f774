import com.stripe.exception.SignatureVerificationException;
import com.stripe.net.Webhook;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Verifies deliveries with stripe-java. */
class Receiver {
    public static void main(String[] args) throws Exception {
        var secret = System.getenv("WEBHOOK_SECRET");
        var server = HttpServer.create(new InetSocketAddress(Integer.parseInt(System.getenv("PORT"))), 0);
        server.setExecutor(Executors.newFixedThreadPool(32));
        server.createContext("/webhooks", exchange -> {
            // The library takes a String only.
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var header = exchange.getRequestHeaders().getFirst("X-Service-Signature");
            int status = 200;
            try {
                Webhook.Signature.verifyHeader(body, header == null ? "" : header, secret, 300);
            } catch (SignatureVerificationException error) {
                status = error.getMessage().contains("matching the expected signature") ? 401 : 400;
            } catch (RuntimeException error) {
                status = 500;
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }
}
