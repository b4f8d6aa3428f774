<?php
// Shows the effects of a payment to `hookproof check`.
declare(strict_types=1);

if (getenv('OBSERVE') !== '1') {
    http_response_code(404);
    return;
}
$db = new PDO('sqlite:' . (getenv('DATABASE') ?: __DIR__ . '/webhooks.sqlite'), options: [PDO::ATTR_TIMEOUT => 10]);
$query = $db->prepare("SELECT event, effect, amount, currency, live FROM effect
    WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid");
$query->execute([$_GET['payment_id'] ?? '']);
$effects = array_map(
    fn (array $row) => ['livemode' => $row['live'] === 1] + array_diff_key($row, ['live' => 0]),
    $query->fetchAll(PDO::FETCH_ASSOC),
);
header('Content-Type: application/json');
echo json_encode(['effects' => $effects]);
