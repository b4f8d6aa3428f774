package com.example.webhooks;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.util.Assert;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@EnableScheduling
public class WebhooksApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(WebhooksApplication.class, arguments);
    }

    @Bean
    SecretKey webhookSecret(@Value("${webhook.secret}") String secret) {
        Assert.hasLength(secret, "HOOKPROOF_SECRET is not set");
        return new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
    }

    /** Shows the effects of a payment to `hookproof check`. */
    @RestController
    @ConditionalOnProperty(name = "OBSERVE", havingValue = "1")
    record Observer(JdbcTemplate jdbc) {
        record Effect(String event, String effect, String amount, String currency, boolean livemode) {}

        @GetMapping("/observe")
        Map<String, List<Effect>> observe(@RequestParam("payment_id") String id) {
            var effects = jdbc.query(
                    "SELECT event, effect, amount, currency, live FROM effect "
                            + "WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid",
                    (row, index) -> new Effect(
                            row.getString(1), row.getString(2), row.getString(3), row.getString(4), row.getBoolean(5)),
                    id);
            return Map.of("effects", effects);
        }
    }
}
