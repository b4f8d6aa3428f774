import { ssrInterpolate, ssrRenderList, ssrIncludeBooleanAttr, ssrLooseEqual, ssrRenderAttr, ssrRenderDynamicModel, ssrRenderClass, ssrRenderAttrs, ssrRenderComponent } from "vue/server-renderer";
import { defineComponent, ref, shallowRef, computed, watch, unref, useSSRContext } from "vue";
import { w as withBase } from "./Content.Db9i4b0a.js";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const utf8 = (text2) => new TextEncoder().encode(text2);
function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return void 0;
  }
}
const text = (cause, fix, make) => ({
  cause,
  fix,
  make: (body) => {
    const given = textOf(body);
    const made = given === void 0 ? void 0 : make(given);
    return made === void 0 ? void 0 : utf8(made);
  }
});
function latin1(text2) {
  return /^[\0-\xff]*$/.test(text2) ? Uint8Array.from(text2, (unit) => unit.charCodeAt(0)) : void 0;
}
function fromBase64(text2) {
  const plain = text2.replaceAll("-", "+").replaceAll("_", "/").replace(/=*$/, "");
  if (plain === "" || !/^[A-Za-z0-9+/]+$/.test(plain) || plain.length % 4 === 1) return void 0;
  return latin1(atob(plain));
}
const escapedBeyondAscii = (text2) => (
  // Each half of a surrogate pair has its own escape.
  text2.replace(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
);
const escapedForHtml = (text2) => text2.replace(/[<>&\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const COMPACT = "a compact serializer, such as that of Ruby or Java";
const RAILS = "json.Marshal of a struct in Go, or to_json of Rails";
const JACKSON = "writeValueAsBytes of Jackson for Java";
const SERIALIZERS = {
  "json.dumps of Python": styled({ comma: ", ", colon: ": ", text: escapedBeyondAscii }),
  "json.dumps of Python with compact separators": styled({ text: escapedBeyondAscii }),
  "json.dumps of Python with ensure_ascii=False": styled({ comma: ", ", colon: ": " }),
  "json.dumps of Python with sort_keys": styled({
    comma: ", ",
    colon: ": ",
    sorted: true,
    text: escapedBeyondAscii
  }),
  "json.Marshal of Go": styled({ sorted: true, text: escapedForHtml }),
  "json_encode of PHP": styled({ text: (plain) => escapedBeyondAscii(plain).replaceAll("/", "\\/") }),
  [COMPACT]: styled({}),
  [RAILS]: styled({ text: escapedForHtml }),
  [JACKSON]: styled({
    text: (plain) => plain.replace(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase()}`)
  }),
  "a serializer that sorts keys": styled({ sorted: true }),
  "a serializer that indents by two spaces": (value) => JSON.stringify(value, null, 2),
  "a serializer that indents by four spaces": (value) => JSON.stringify(value, null, 4)
};
const escaped = (characters, write) => (text2) => text2.replace(characters, (unit) => write(unit.charCodeAt(0).toString(16).padStart(4, "0")));
const lowercase = (code) => `\\u${code}`;
const MORE_SERIALIZERS = {
  "JSON.stringify of JavaScript": (value) => JSON.stringify(value),
  "json.dumps of Python with sort_keys and compact separators": styled({
    sorted: true,
    text: escapedBeyondAscii
  }),
  "json.dumps of Python with sort_keys and ensure_ascii=False": styled({
    comma: ", ",
    colon: ": ",
    sorted: true
  }),
  "json_encode of PHP with JSON_UNESCAPED_SLASHES": styled({ text: escapedBeyondAscii }),
  "json_encode of PHP with JSON_UNESCAPED_UNICODE": styled({
    text: (plain) => plain.replaceAll("/", "\\/")
  }),
  "json_encode of PHP with JSON_PRETTY_PRINT": (value) => escapedBeyondAscii(JSON.stringify(value, null, 4)).replaceAll("/", "\\/"),
  "json.Marshal of Go with a struct": styled({ text: escaped(/[<>&\u2028\u2029]/g, lowercase) }),
  "json.Encoder of Go": (value) => {
    var _a;
    return `${(_a = SERIALIZERS["json.Marshal of Go"]) == null ? void 0 : _a.call(SERIALIZERS, value)}
`;
  },
  "to_json of Rails": styled({ text: escaped(/[<>&\u2028\u2029]/g, lowercase) }),
  "toJson of Gson for Java": styled({ text: escaped(/[<>&='\u2028\u2029]/g, lowercase) }),
  "JsonSerializer of .NET": styled({
    text: (plain) => escaped(
      /[<>&'+`]|[^\0-\x7e]/g,
      (code) => `\\u${code.toUpperCase()}`
    )(plain.slice(1, -1)).replaceAll('\\"', "\\u0022").replace(/^|$/g, '"')
  })
};
function styled(style) {
  const { comma = ",", colon = ":", text: text2 = (plain) => plain, sorted = false } = style;
  const write = (value) => {
    if (typeof value === "string") return text2(JSON.stringify(value));
    if (Array.isArray(value)) return `[${value.map(write).join(comma)}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const entries = Object.entries(value);
    if (sorted) entries.sort(([a], [b]) => a < b ? -1 : 1);
    return `{${entries.map(([key, item]) => `${write(key)}${colon}${write(item)}`).join(comma)}}`;
  };
  return write;
}
const SAVE = "Save the body byte for byte, and copy nothing else with it.";
const COPIED = [
  text(
    "the JSON has whitespace between its parts that was not signed",
    "A formatter added it, such as jq or an editor. Save the body byte for byte.",
    // A string, even one that never ends, is skipped in one step: the time stays linear.
    (body) => body.replace(/("(?:[^"\\]|\\[^])*"?)|\s+/g, "$1")
  ),
  text("there are quotation marks around the body", SAVE, (body) => {
    var _a;
    return (_a = /^(['`])([^]*)\1\s*$/.exec(body)) == null ? void 0 : _a[2];
  }),
  text(
    "the body has curly quotation marks",
    "A chat, a ticket or an editor made them curly. Save the body byte for byte.",
    (body) => body.replace(/[“”„]/g, '"').replace(/[‘’]/g, "'")
  ),
  text(
    "there are backslashes before the quotation marks of the body",
    "The body was copied out of a JSON string. Save the body byte for byte.",
    (body) => {
      if (!body.startsWith('{\\"')) return void 0;
      try {
        const inside = JSON.parse(`"${body.trimEnd()}"`);
        return typeof inside === "string" ? inside : void 0;
      } catch {
        return void 0;
      }
    }
  ),
  text(
    "the head of the request stands before the body",
    SAVE,
    (body) => {
      var _a;
      return (_a = /^(?:[A-Z]+ \S+ HTTP\/[\d.]+|[\w-]+:[^\r\n]*)\r?\n(?:[\w-]+:[^\r\n]*\r?\n)*\r?\n([^]*)$/.exec(
        body
      )) == null ? void 0 : _a[1];
    }
  )
];
const RAW = "Keep the raw bytes of the request, and parse them only afterwards.";
const SERIALIZED = "Either the receiver, or something in front of it, parsed the body and serialized it again: keep the raw bytes of the request, and parse them only afterwards. Or the program that signs sent other bytes than it signed: it must sign the bytes that it sends.";
const BOM = "\uFEFF";
const serialized = ([name, serialize]) => text(`the signature is of the same JSON as ${name} writes it`, SERIALIZED, (body) => {
  try {
    return serialize(JSON.parse(body));
  } catch {
    return void 0;
  }
});
const WINDOWS_1252 = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
[
  text(
    "the body ends with a line break that was not signed",
    "Something added it: an editor, echo, or a program that writes lines. Save the body byte for byte.",
    (body) => body.endsWith("\n") ? body.replace(/\r?\n$/, "") : void 0
  ),
  ...["\n", "\r\n"].map(
    (end) => text(
      `the signed body ends with a line break (${end === "\n" ? "LF" : "CRLF"}), and this one does not`,
      `Something on the way to the receiver, or the receiver, trims it. ${RAW}`,
      (body) => body + end
    )
  ),
  text(
    "the line breaks are CRLF, and LF was signed",
    "Something converted them, such as an editor, Git or a file opened in text mode. Save the body byte for byte.",
    (body) => body.replaceAll("\r\n", "\n")
  ),
  text(
    "the line breaks are LF, and CRLF was signed",
    `Something converted them, such as reading in text mode. ${RAW}`,
    (body) => body.replaceAll(/\r?\n/g, "\r\n")
  ),
  text(
    "the body starts with a byte-order mark that was not signed",
    "An editor or PowerShell added it. Save the body byte for byte.",
    (body) => body.startsWith(BOM) ? body.slice(1) : void 0
  ),
  text(
    "the signed body starts with a byte-order mark, and this one does not",
    `Decoding to text drops it. ${RAW}`,
    (body) => BOM + body
  ),
  text(
    "there is whitespace around the body that was not signed",
    "Something added it. Save the body byte for byte.",
    (body) => body.trim()
  ),
  ...Object.entries({ ...MORE_SERIALIZERS, ...SERIALIZERS }).map(serialized),
  {
    cause: "the body is encoded as UTF-8 twice",
    fix: `Something decoded the body as Latin-1. ${RAW}`,
    make: (body) => latin1(textOf(body) ?? BOM)
  },
  {
    cause: "the body is encoded as UTF-8 twice (by way of Windows-1252)",
    fix: `Something decoded the body as Windows-1252. ${RAW}`,
    make: (body) => latin1(
      (textOf(body) ?? BOM).replace(/[^\0-\xff]/g, (character) => {
        const at = WINDOWS_1252.indexOf(character);
        return at === -1 ? character : String.fromCharCode(128 + at);
      })
    )
  },
  {
    cause: "the signed body is encoded as UTF-8 twice",
    fix: "The program that signs encoded the body twice: it must sign the bytes that it sends.",
    make: (body) => utf8(Array.from(body, (byte) => String.fromCharCode(byte)).join(""))
  },
  {
    cause: "the body is in UTF-16, and UTF-8 was signed",
    fix: "PowerShell writes UTF-16. Save the body byte for byte.",
    make: (body) => {
      const [first, second] = body;
      return first === 255 && second === 254 ? utf8(new TextDecoder("utf-16le").decode(body)) : void 0;
    }
  },
  ...["NFC", "NFD"].map(
    (form) => text(
      `the signed body has its characters in the form ${form}`,
      `Something normalized the text. ${RAW}`,
      (body) => body.normalize(form)
    )
  ),
  {
    cause: "the body is in base64, and the decoded bytes were signed",
    fix: "AWS Lambda and other gateways pass the body as base64: decode it when isBase64Encoded is true.",
    make: (body) => {
      var _a;
      return fromBase64(((_a = textOf(body)) == null ? void 0 : _a.trim()) ?? "");
    }
  },
  text("the body was read as a form", `A parser for forms read the body. ${RAW}`, (body) => {
    try {
      return decodeURIComponent(body.replace(/=$/, "").replaceAll("+", " "));
    } catch {
      return void 0;
    }
  }),
  text(
    "the body has spaces, and plus signs were signed",
    `A parser for forms read the body. ${RAW}`,
    (body) => body.replaceAll(" ", "+")
  ),
  text(
    "the body is written as a JSON string",
    "The body was logged or stored as a JSON string. Save the body byte for byte.",
    (body) => {
      try {
        const value = JSON.parse(body);
        return typeof value === "string" ? value : void 0;
      } catch {
        return void 0;
      }
    }
  ),
  text(
    "the body is in Python's b'…'",
    'In Python, write bytes to a file opened with "wb", and concatenate bytes: t.encode() + b"." + body.',
    (body) => {
      var _a;
      return (_a = /^b(['"])(.*)\1\s*$/s.exec(body)) == null ? void 0 : _a[2];
    }
  ),
  ...COPIED
];
const REFUSED_ANYWAY = "If your receiver answered 401 to it, it hashes other bytes or has another secret. In the receiver, log these and compare, never the secret itself:";
const HEAD = 256;
const TAIL = 64;
const WIDTH = 16;
function hexLines(bytes) {
  if (bytes.length <= HEAD + TAIL) return linesOf(bytes, 0, bytes.length);
  const tail = bytes.length - TAIL - (bytes.length - TAIL) % WIDTH;
  return [
    ...linesOf(bytes, 0, HEAD),
    `… ${tail - HEAD} bytes are not shown …`,
    ...linesOf(bytes, tail, bytes.length)
  ];
}
function linesOf(bytes, from, to) {
  const lines = [];
  for (let at = from; at < to; at += WIDTH) {
    const part = Array.from(bytes.subarray(at, Math.min(at + WIDTH, to)));
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text2 = part.map((byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·").join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${hex.padEnd(WIDTH * 3 - 1)}  ${text2}`);
  }
  return lines;
}
const _sfc_main$1 = /* @__PURE__ */ defineComponent({
  __name: "SignatureDebugger",
  __ssrInlineRender: true,
  setup(__props) {
    const EXAMPLE = {
      header: "t=1750000000,v1=99930e1560bfc528133a7e1c661499a0a8ba679a72bb5750c488dd661c7ef43b",
      time: "1750000000"
    };
    const header = ref("");
    const secret = ref("");
    const showSecret = ref(false);
    const kind = ref("text");
    const body = ref("");
    const file = shallowRef();
    const time = ref("");
    const result = shallowRef();
    const advice = ref("");
    const comparison = ref("");
    const problem = ref("");
    const pastedLineBreak = ref(false);
    const isBusy = ref(false);
    const capitalized = computed(
      () => advice.value.replace(/^(?!v1\b|t\b|whsec_)./, (first) => first.toUpperCase())
    );
    const mayHaveLostCrLf = computed(
      () => {
        var _a;
        return kind.value === "text" && body.value.includes("\n") && ((_a = result.value) == null ? void 0 : _a.matches) === false;
      }
    );
    const bytes = computed(() => {
      var _a;
      if (kind.value === "file") return (_a = file.value) == null ? void 0 : _a.bytes;
      if (kind.value === "text") return utf8(body.value);
      const digits = body.value.replace(/\s/g, "");
      return digits === "" ? new Uint8Array() : fromBase64(digits);
    });
    watch([header, secret, kind, body, file, time], () => {
      result.value = void 0;
      advice.value = "";
      comparison.value = "";
      problem.value = "";
    });
    watch(header, (value) => {
      if (value !== EXAMPLE.header && time.value === EXAMPLE.time) time.value = "";
    });
    watch(secret, (value) => {
      if (value === "") pastedLineBreak.value = false;
    });
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<!--[--><form class="debugger" data-v-c7056116><label for="header" data-v-c7056116>Value of <code data-v-c7056116>X-Service-Signature</code></label><textarea id="header" rows="3" spellcheck="false" autocomplete="off" placeholder="t=1750000000,v1=…" data-v-c7056116>${ssrInterpolate(header.value)}</textarea><fieldset data-v-c7056116><legend data-v-c7056116>Raw body</legend><span class="choices" data-v-c7056116><!--[-->`);
      ssrRenderList(["text", "base64", "file"], (one) => {
        _push(`<label data-v-c7056116><input${ssrIncludeBooleanAttr(ssrLooseEqual(kind.value, one)) ? " checked" : ""} type="radio" name="kind"${ssrRenderAttr("value", one)} data-v-c7056116> ${ssrInterpolate(one)}</label>`);
      });
      _push(`<!--]--></span>`);
      if (kind.value === "file") {
        _push(`<input type="file" aria-label="File with the raw body" data-v-c7056116>`);
      } else {
        _push(`<textarea rows="5"${ssrRenderAttr("aria-label", `Raw body as ${kind.value}`)} spellcheck="false" autocomplete="off" data-v-c7056116>${ssrInterpolate(body.value)}</textarea>`);
      }
      _push(`<p class="hint" data-v-c7056116>`);
      if (bytes.value === void 0) {
        _push(`<!--[-->${ssrInterpolate(kind.value === "file" ? "No file chosen." : "This is not base64.")}<!--]-->`);
      } else {
        _push(`<!--[-->${ssrInterpolate(bytes.value.length)} bytes.<!--]-->`);
      }
      if (kind.value === "text") {
        _push(`<!--[--> Pasting loses what text cannot hold, such as CRLF line breaks: a file or base64 keeps them.<!--]-->`);
      } else {
        _push(`<!---->`);
      }
      _push(`</p></fieldset><label for="secret" data-v-c7056116>Signing secret</label><div class="row" data-v-c7056116><input id="secret"${ssrRenderDynamicModel(showSecret.value ? "text" : "password", secret.value, null)}${ssrRenderAttr("type", showSecret.value ? "text" : "password")} spellcheck="false" autocomplete="off" placeholder="whsec_…" data-v-c7056116><button type="button"${ssrRenderAttr("aria-pressed", showSecret.value)} data-v-c7056116>Show</button></div><label for="time" data-v-c7056116>Time of the verification, in Unix seconds</label><input id="time"${ssrRenderAttr("value", time.value)} inputmode="numeric" autocomplete="off" placeholder="now" data-v-c7056116><div class="row" data-v-c7056116><button class="main" type="submit"${ssrIncludeBooleanAttr(isBusy.value) ? " disabled" : ""} data-v-c7056116>${ssrInterpolate(isBusy.value ? "Verifying…" : "Verify")}</button><button type="button" data-v-c7056116>Example</button></div></form><div role="status" class="verdict" data-v-c7056116>`);
      if (problem.value) {
        _push(`<p class="bad" data-v-c7056116>${ssrInterpolate(problem.value)}</p>`);
      } else {
        _push(`<!---->`);
      }
      if (result.value) {
        _push(`<!--[-->`);
        if (result.value.refusal) {
          _push(`<p class="bad" data-v-c7056116><strong data-v-c7056116>Refused with ${ssrInterpolate(result.value.refusal.status)}</strong>: ${ssrInterpolate(result.value.refusal.reason)}.</p>`);
        } else {
          _push(`<p class="good" data-v-c7056116><strong data-v-c7056116>Valid.</strong> A receiver with this secret answers 200.</p>`);
        }
        if (advice.value) {
          _push(`<p class="advice" data-v-c7056116>${ssrInterpolate(capitalized.value)}</p>`);
        } else {
          _push(`<!---->`);
        }
        if (mayHaveLostCrLf.value) {
          _push(`<p class="advice" data-v-c7056116> The body has line breaks, and a text field turns CRLF into LF. If the service sent CRLF, verify the bytes themselves: <button type="button" data-v-c7056116>Use a file</button></p>`);
        } else {
          _push(`<!---->`);
        }
        if (comparison.value) {
          _push(`<p class="advice" data-v-c7056116>${ssrInterpolate(unref(REFUSED_ANYWAY))} ${ssrInterpolate(comparison.value)} <a${ssrRenderAttr("href", unref(withBase)("/docs/troubleshooting"))} data-v-c7056116>Troubleshooting</a> has the mistakes of each framework, and their fixes. </p>`);
        } else {
          _push(`<!---->`);
        }
        if (pastedLineBreak.value) {
          _push(`<p class="advice" data-v-c7056116> The pasted secret had a line break, which this page removed. A receiver that reads the secret with its line break refuses every delivery: trim it where the receiver reads it. </p>`);
        } else {
          _push(`<!---->`);
        }
        if (result.value.isLate && result.value.signedAt !== void 0) {
          _push(`<p data-v-c7056116><button type="button" data-v-c7056116>Verify as of t=${ssrInterpolate(result.value.signedAt)}</button></p>`);
        } else {
          _push(`<!---->`);
        }
        _push(`<!--]-->`);
      } else {
        _push(`<!---->`);
      }
      _push(`</div>`);
      if (result.value) {
        _push(`<ol class="steps" data-v-c7056116><li data-v-c7056116><h2 data-v-c7056116>Entries of the header</h2><ul data-v-c7056116><!--[-->`);
        ssrRenderList(result.value.entries, (entry, at) => {
          _push(`<li data-v-c7056116><code data-v-c7056116>${ssrInterpolate(entry.label)}=${ssrInterpolate(entry.value)}</code><span class="${ssrRenderClass(entry.valid ? "good" : "bad")}" data-v-c7056116>: ${ssrInterpolate(entry.meaning)}</span></li>`);
        });
        _push(`<!--]--></ul></li>`);
        if (result.value.ageSeconds !== void 0) {
          _push(`<li data-v-c7056116><h2 data-v-c7056116>Age</h2><p data-v-c7056116> Signed at <code data-v-c7056116>${ssrInterpolate(result.value.signedAt)}</code>, ${ssrInterpolate(Math.abs(result.value.ageSeconds))} s ${ssrInterpolate(result.value.ageSeconds < 0 ? "in the future" : "ago")}; at most 300 s are allowed. </p></li>`);
        } else {
          _push(`<!---->`);
        }
        if (result.value.signed) {
          _push(`<li data-v-c7056116><h2 data-v-c7056116>Signed bytes: <code data-v-c7056116>t</code>, a dot, the raw body</h2><pre tabindex="0" aria-label="Signed bytes in hexadecimal" data-v-c7056116>${ssrInterpolate(unref(hexLines)(result.value.signed).join("\n"))}</pre></li>`);
        } else {
          _push(`<!---->`);
        }
        if (result.value.expected) {
          _push(`<li data-v-c7056116><h2 data-v-c7056116>Signature</h2><dl data-v-c7056116><dt data-v-c7056116>Expected</dt><dd data-v-c7056116><code data-v-c7056116>${ssrInterpolate(result.value.expected)}</code></dd><!--[-->`);
          ssrRenderList(result.value.received, (value, at) => {
            _push(`<!--[--><dt data-v-c7056116>Received</dt><dd data-v-c7056116><code data-v-c7056116>${ssrInterpolate(value)}</code> <span class="${ssrRenderClass(value === result.value.expected ? "good" : "bad")}" data-v-c7056116>${ssrInterpolate(value === result.value.expected ? "equal" : "different")}</span></dd><!--]-->`);
          });
          _push(`<!--]--></dl></li>`);
        } else {
          _push(`<!---->`);
        }
        _push(`</ol>`);
      } else {
        _push(`<!---->`);
      }
      _push(`<!--]-->`);
    };
  }
});
const _sfc_setup$1 = _sfc_main$1.setup;
_sfc_main$1.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/debugger/SignatureDebugger.vue");
  return _sfc_setup$1 ? _sfc_setup$1(props, ctx) : void 0;
};
const SignatureDebugger = /* @__PURE__ */ _export_sfc(_sfc_main$1, [["__scopeId", "data-v-c7056116"]]);
const __pageData = JSON.parse(`{"title":"Signature debugger","description":"Find out in the browser why the signature of a webhook does not match.","frontmatter":{"title":"Signature debugger","description":"Find out in the browser why the signature of a webhook does not match.","head":[["meta",{"http-equiv":"Content-Security-Policy","content":"default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'; form-action 'none'; base-uri 'none'"}]]},"headers":[],"relativePath":"debugger.md","filePath":"site/debugger.md"}`);
const __default__ = { name: "debugger.md" };
const _sfc_main = /* @__PURE__ */ Object.assign(__default__, {
  __ssrInlineRender: true,
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="signature-debugger" tabindex="-1">Signature debugger <a class="header-anchor" href="#signature-debugger" aria-label="Permalink to &quot;Signature debugger&quot;">​</a></h1><p>Paste a delivery that your receiver refuses. The page computes each step, and tries the mistakes that <code>hookproof verify</code> knows: a line break, serialized JSON, a secret that was copied or decoded wrongly, milliseconds, another order.</p><p><strong>Nothing leaves this page.</strong> Your browser computes everything, and the page&#39;s Content-Security-Policy (<code>connect-src &#39;none&#39;</code>) forbids it to connect to anything. Still, use the secret of a test endpoint.</p>`);
      _push(ssrRenderComponent(SignatureDebugger, null, null, _parent));
      _push(`<p>Without a browser: <code>npx hookproof verify &#39;t=…,v1=…&#39; body.json --secret-file secret.txt</code>.</p></div>`);
    };
  }
});
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/debugger.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
export {
  __pageData,
  _sfc_main as default
};
