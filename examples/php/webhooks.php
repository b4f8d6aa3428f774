<?php
// Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
// `php webhooks.php` handles what is still pending. Run it when you deploy, and every minute with cron.
declare(strict_types=1);

const WINDOW_SECONDS = 300;
const MAX_BYTES = 1024 * 1024;
const MONEY = '/^(?=.*[1-9])[0-9]+(\.[0-9]+)?$/D'; // Any other amount is an anomaly for people to look at.
// Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
const ADD = "INSERT INTO effect SELECT :id, :live, :effect, :event, :amount, :currency WHERE :effect = 'reversed'
    OR NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = :id AND live = :live) ON CONFLICT DO NOTHING";

function connect(): PDO
{
    $path = getenv('DATABASE') ?: __DIR__ . '/webhooks.sqlite';
    $db = new PDO("sqlite:$path", options: [PDO::ATTR_TIMEOUT => 10]);
    // FULL: a 200 is a promise, so the row must survive a power cut.
    $db->exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        CREATE TABLE IF NOT EXISTS inbox (id INTEGER PRIMARY KEY, payment_id TEXT, live INTEGER, event TEXT,
            variant TEXT, body BLOB, done INTEGER DEFAULT 0, UNIQUE (payment_id, live, event, variant));
        CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0;
        CREATE TABLE IF NOT EXISTS effect (payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT,
            currency TEXT, PRIMARY KEY (payment_id, live, effect))');
    return $db;
}

/** Why a delivery is refused, as a status and a reason; null if its header signs these bytes. */
function refusal(string $header, string $body, string $secret): ?array
{
    preg_match_all('/(?:^|,)t=([^,]*)/', $header, $times);
    preg_match_all('/(?:^|,)v1=([^,]+)/', $header, $signatures); // More than one while a secret is rotated.
    $t = $times[1][0] ?? '';
    if (count($times[1]) !== 1 || !preg_match('/^[0-9]{1,12}$/D', $t) || !$signatures[1]) {
        return [400, 'the signature header needs one t, in seconds, and a v1'];
    }
    if (abs(time() - (int) $t) > WINDOW_SECONDS) {
        return [400, 't is more than 5 minutes from now'];
    }
    $expected = hash_hmac('sha256', "$t.$body", $secret);
    $matching = array_filter($signatures[1], fn (string $given) => hash_equals($expected, $given));
    return $matching ? null : [401, 'the signature is wrong'];
}

/** The event in a verified body, and the key that all its redeliveries share; null if it is not an event. */
function readEvent(string $body): ?array
{
    // PHP refuses half a surrogate pair, which JavaScript writes when it cuts a text. It matters only in the metadata.
    $event = json_decode($body, true) ?? json_decode(preg_replace('/\\\\ud[89a-f]../i', '\ufffd', $body), true);
    $name = $event['event'] ?? (($event['test'] ?? null) === true ? 'payment.' . ($event['status'] ?? '') : null);
    $id = $event['payment_id'] ?? $event['id'] ?? null;
    if (!is_array($event) || !is_string($name) || !is_string($id) || $name === '' || $id === '') {
        return null;
    }
    // One payment can be partly paid several times, and both refunded and charged back.
    $variants = ['payment.partial' => 'amount_received', 'payment.refunded' => 'type'];
    $variant = json_encode($event[$variants[$name] ?? ''] ?? null);
    $event += ['livemode' => true]; // Older events lack it and are live.
    $live = $event['livemode'] === true && ($event['test'] ?? null) !== true;
    return [$event, [$id, (int) $live, $name, $variant]];
}

/** Does the work of a stored event and marks it as done, in one transaction. */
function handle(PDO $db, array $row): void
{
    [$event, [$id, $live, $name]] = readEvent($row['body']);
    $text = fn (string $field) => is_string($event[$field] ?? null) ? $event[$field] : get_debug_type($event[$field] ?? null);
    [$amount, $currency] = [$text('amount'), $text('currency')];
    $completed = preg_match(MONEY, $amount) ? 'fulfilled' : 'anomaly';
    $effect = ['payment.completed' => $completed, 'payment.refunded' => 'reversed'][$name] ?? null;
    try {
        $db->beginTransaction();
        if ($effect) {
            $db->prepare(ADD)->execute(['event' => $name] + compact('id', 'live', 'effect', 'amount', 'currency'));
        }
        $db->prepare('UPDATE inbox SET done = 1 WHERE id = ?')->execute([$row['id']]);
        $db->commit();
    } catch (Throwable $error) {
        $db->inTransaction() && $db->rollBack();
        error_log("$name of $id stays pending: {$error->getMessage()}");
    }
}

if (PHP_SAPI === 'cli') {
    $db = connect();
    foreach ($db->query('SELECT id, body FROM inbox WHERE done = 0')->fetchAll() as $row) {
        handle($db, $row);
    }
    return;
}

$body = file_get_contents('php://input', length: MAX_BYTES + 1); // The raw bytes, which $_POST does not have.
$secret = getenv('HOOKPROOF_SECRET') ?: getenv('WEBHOOK_SECRET') ?: throw new RuntimeException('HOOKPROOF_SECRET is not set');
[$status, $reason] = match (true) {
    $_SERVER['REQUEST_METHOD'] !== 'POST' => [405, 'POST only'],
    strlen($body) > MAX_BYTES => [413, 'the body is too large'],
    default => refusal($_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $body, $secret)
        ?? (readEvent($body) ? [200, 'received'] : [400, 'the body is not an event']),
};
$row = null;
if ($status === 200) {
    try {
        $db = connect();
        $store = $db->prepare('INSERT INTO inbox (payment_id, live, event, variant, body) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING RETURNING id, body');
        $store->execute([...readEvent($body)[1], $body]);
        [$row] = $store->fetchAll() + [null]; // None for a redelivery.
    } catch (PDOException $error) {
        error_log($error->getMessage());
        [$status, $reason] = [503, 'try again later'];
    }
}
http_response_code($status);
header('Content-Type: application/json');
echo json_encode([$status === 200 ? 'status' : 'error' => $reason]);
if ($row) {
    function_exists('fastcgi_finish_request') && fastcgi_finish_request(); // Sends the response: the work comes afterwards.
    handle($db, $row);
}
