<?php

// The front controller. `php index.php` handles what is still pending: run it every minute with cron.
declare(strict_types=1);

require_once 'Symfony/Component/HttpFoundation/autoload.php'; // Debian's. With Composer: vendor/autoload.php.
require_once __DIR__ . '/WebhookController.php';

use App\WebhookController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

set_exception_handler(function (Throwable $error): void {
    error_log($error->getMessage());
    http_response_code(503); // Asks the sender to try again, for example when the disk is full.
});
$path = getenv('DATABASE') ?: __DIR__ . '/webhooks.sqlite';
$database = new PDO("sqlite:$path", options: [PDO::ATTR_TIMEOUT => 10]);
// FULL: a 200 is a promise, so the row must survive a power cut.
$database->exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS inbox (id INTEGER PRIMARY KEY, payment_id TEXT, live INTEGER, event TEXT,
        variant TEXT, body BLOB, done INTEGER DEFAULT 0, UNIQUE (payment_id, live, event, variant));
    CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0;
    CREATE TABLE IF NOT EXISTS effect (payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT,
        currency TEXT, PRIMARY KEY (payment_id, live, effect))');
$webhooks = new WebhookController($database, getenv('HOOKPROOF_SECRET') ?: getenv('WEBHOOK_SECRET') ?: '');

if (PHP_SAPI !== 'cli') {
    $request = Request::createFromGlobals();
    $response = match ($request->getPathInfo()) {
        '/webhooks' => $webhooks->receive($request),
        '/observe' => getenv('OBSERVE') === '1' ? observe($database, $request) : new Response('', 404),
        default => new Response('', 404),
    };
    $response->prepare($request)->send(); // Behind php-fpm, this ends the request: the work comes afterwards.
}
$webhooks->handlePending();

/** Shows the effects of a payment to `hookproof check`. */
function observe(PDO $database, Request $request): Response
{
    $query = $database->prepare("SELECT event, effect, amount, currency, live FROM effect
        WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid");
    $query->execute([$request->query->get('payment_id')]);
    $effects = array_map(
        fn (array $row) => ['livemode' => $row['live'] === 1] + array_diff_key($row, ['live' => 0]),
        $query->fetchAll(PDO::FETCH_ASSOC),
    );
    return new JsonResponse(['effects' => $effects]);
}
