<?php

// Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
declare(strict_types=1);

namespace App;

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

final class WebhookController
{
    private const WINDOW_SECONDS = 300;
    private const MAX_BYTES = 1024 * 1024;
    private const STORE = 'INSERT INTO inbox (payment_id, live, event, variant, body) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING';
    private const MONEY = '/^(?=.*[1-9])[0-9]+(\.[0-9]+)?$/D'; // Any other amount is an anomaly for people to look at.
    // Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
    private const ADD = "INSERT INTO effect SELECT :id, :live, :effect, :event, :amount, :currency
        WHERE :effect = 'reversed' OR NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = :id AND live = :live)
        ON CONFLICT DO NOTHING";

    public function __construct(private \PDO $database, private string $secret)
    {
        $secret !== '' || throw new \InvalidArgumentException('HOOKPROOF_SECRET is not set');
    }

    /** POST /webhooks */
    public function receive(Request $request): Response
    {
        $body = $request->getContent(); // The raw bytes, which $request->toArray() and $request->request do not have.
        if (!$request->isMethod('POST')) {
            return new Response('POST only', Response::HTTP_METHOD_NOT_ALLOWED);
        }
        if (strlen($body) > self::MAX_BYTES) {
            return new Response('the body is too large', Response::HTTP_REQUEST_ENTITY_TOO_LARGE);
        }
        if ($refusal = $this->refuse($request->headers->get('X-Service-Signature', ''), $body)) {
            return $refusal;
        }
        if (!$event = $this->parse($body)) {
            return new Response('the body is not an event', Response::HTTP_BAD_REQUEST);
        }
        try {
            [$id, $live, $name, $variant] = $event;
            $this->database->prepare(self::STORE)->execute([$id, $live, $name, $variant, $body]);
        } catch (\PDOException $error) {
            error_log($error->getMessage());
            return new Response('try again later', Response::HTTP_SERVICE_UNAVAILABLE);
        }
        return new Response('received');
    }

    /** Refuses a delivery unless its header signs these bytes. */
    private function refuse(string $header, string $body): ?Response
    {
        preg_match_all('/(?:^|,)t=([^,]*)/', $header, $times);
        preg_match_all('/(?:^|,)v1=([^,]+)/', $header, $signatures); // More than one while a secret is rotated.
        $t = implode(',', $times[1]); // Not a number unless there is one.
        if (!preg_match('/^[0-9]{1,12}$/D', $t) || !$signatures[1]) {
            return new Response('the signature header needs one t, in seconds, and a v1', Response::HTTP_BAD_REQUEST);
        }
        if (abs(time() - (int) $t) > self::WINDOW_SECONDS) {
            return new Response('t is more than 5 minutes from now', Response::HTTP_BAD_REQUEST);
        }
        $expected = hash_hmac('sha256', "$t.$body", $this->secret);
        $matching = array_filter($signatures[1], fn (string $given) => hash_equals($expected, $given));
        return $matching ? null : new Response('the signature is wrong', Response::HTTP_UNAUTHORIZED);
    }

    /** The key that an event shares with its redeliveries, its amount and its currency; null if it is not an event. */
    private function parse(string $body): ?array
    {
        // PHP refuses half a surrogate pair, which JavaScript writes when it cuts a text. Only the metadata can have one.
        $event = json_decode($body, true) ?? json_decode(preg_replace('/\\\\ud[89a-f]../i', '\ufffd', $body), true);
        $test = ($event['test'] ?? null) === true;
        $name = $event['event'] ?? ($test ? 'payment.' . ($event['status'] ?? '') : null);
        $id = $event['payment_id'] ?? $event['id'] ?? null;
        if (!is_array($event) || !is_string($name) || !is_string($id) || $name === '' || $id === '') {
            return null;
        }
        $event += ['livemode' => true, 'amount' => null, 'currency' => null]; // Older events lack livemode and are live.
        $live = $event['livemode'] === true && !$test;
        $text = fn (string $field) => is_string($event[$field]) ? $event[$field] : get_debug_type($event[$field]);
        // One payment can be partly paid several times, and both refunded and charged back.
        $variants = ['payment.partial' => 'amount_received', 'payment.refunded' => 'type'];
        $variant = json_encode($event[$variants[$name] ?? ''] ?? null);
        return [$id, (int) $live, $name, $variant, $text('amount'), $text('currency')];
    }

    /** Handles what is stored. Call it after the response, and every minute for what a crash left behind, or failed. */
    public function handlePending(): void
    {
        foreach ($this->database->query('SELECT id, body FROM inbox WHERE done = 0')->fetchAll() as $row) {
            $this->handle($row['id'], $row['body']);
        }
    }

    /** Does the work of a stored event and marks it as done, in one transaction. */
    private function handle(int $row, string $body): void
    {
        [$id, $live, $event, , $amount, $currency] = $this->parse($body);
        try {
            $this->database->beginTransaction();
            $done = $this->database->prepare('UPDATE inbox SET done = 1 WHERE id = ? AND done = 0');
            $done->execute([$row]);
            $completed = preg_match(self::MONEY, $amount) ? 'fulfilled' : 'anomaly';
            $effect = ['payment.completed' => $completed, 'payment.refunded' => 'reversed'][$event] ?? null;
            if ($done->rowCount() === 1 && $effect) { // No other process has handled it.
                $values = compact('id', 'live', 'effect', 'event', 'amount', 'currency');
                $this->database->prepare(self::ADD)->execute($values);
            }
            $this->database->commit();
        } catch (\Throwable $error) {
            $this->database->inTransaction() && $this->database->rollBack();
            error_log("$event of $id stays pending: {$error->getMessage()}");
        }
    }
}
