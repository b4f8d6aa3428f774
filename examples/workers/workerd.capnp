using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "receiver", worker = .receiver),
    (name = "storage", disk = (path = "storage", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:3000", http = (), service = "receiver")],
);

const receiver :Workerd.Worker = (
  modules = [(name = "receiver.js", esModule = embed "receiver.js")],
  compatibilityDate = "2026-10-01",
  bindings = [
    (name = "HOOKPROOF_SECRET", fromEnvironment = "HOOKPROOF_SECRET"),
    (name = "WEBHOOK_SECRET", fromEnvironment = "WEBHOOK_SECRET"),
    (name = "OBSERVE", fromEnvironment = "OBSERVE"),
    (name = "PAYMENT", durableObjectNamespace = "Payment"),
  ],
  durableObjectNamespaces = [(className = "Payment", uniqueKey = "payment", enableSql = true)],
  durableObjectStorage = (localDisk = "storage"),
);
