import { ssrRenderAttrs, ssrRenderAttr } from "vue/server-renderer";
import { _ as _imports_0, a as _imports_1 } from "./report-dark.CHvmCREL.js";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Is your webhook receiver correct?","titleTemplate":"hookproof","description":"","frontmatter":{"layout":"home","title":"Is your webhook receiver correct?","titleTemplate":"hookproof","hero":{"name":"hookproof","text":"Is your webhook receiver correct?","tagline":"A contract for receivers of signed payment webhooks, and a test suite that grades yours over HTTP, in any language.","actions":[{"theme":"brand","text":"Grade your receiver","link":"#grade-your-receiver"},{"theme":"alt","text":"Copy a handler","link":"/handlers/"},{"theme":"alt","text":"Debug a signature","link":"/debugger"}]},"prev":false,"next":false},"headers":[],"relativePath":"index.md","filePath":"site/index.md"}');
const _sfc_main = { name: "index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><div class="landing"><h2 id="grade-your-receiver" tabindex="-1">Grade your receiver <a class="header-anchor" href="#grade-your-receiver" aria-label="Permalink to &quot;Grade your receiver&quot;">​</a></h2><p>Against a test instance, with Node.js 20.19 or later:</p><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light-high-contrast github-dark-high-contrast vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#A0111F;--shiki-dark:#FF9492;">export</span><span style="--shiki-light:#0E1116;--shiki-dark:#F0F3F6;"> HOOKPROOF_SECRET</span><span style="--shiki-light:#A0111F;--shiki-dark:#FF9492;">=</span><span style="--shiki-light:#0E1116;--shiki-dark:#F0F3F6;">whsec_...    </span><span style="--shiki-light:#66707B;--shiki-dark:#BDC4CC;"># your receiver&#39;s signing secret</span></span>
<span class="line"><span style="--shiki-light:#702C00;--shiki-dark:#FFB757;">npx</span><span style="--shiki-light:#032563;--shiki-dark:#ADDCFF;"> hookproof</span><span style="--shiki-light:#032563;--shiki-dark:#ADDCFF;"> check</span><span style="--shiki-light:#032563;--shiki-dark:#ADDCFF;"> http://localhost:3000/webhooks</span></span>
<span class="line"><span style="--shiki-light:#702C00;--shiki-dark:#FFB757;">npx</span><span style="--shiki-light:#032563;--shiki-dark:#ADDCFF;"> hookproof</span><span style="--shiki-light:#032563;--shiki-dark:#ADDCFF;"> check</span><span style="--shiki-light:#032563;--shiki-dark:#ADDCFF;"> http://localhost:3000/webhooks</span><span style="--shiki-light:#023B95;--shiki-dark:#91CBFF;"> --report</span><span style="--shiki-light:#032563;--shiki-dark:#ADDCFF;"> html=report.html</span></span></code></pre></div><p>The report names the cause of the failures and its fix. This one is about a receiver that computes the signature over re-serialized JSON:</p><div class="language-txt vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">txt</span><pre class="shiki shiki-themes github-light-high-contrast github-dark-high-contrast vp-code" tabindex="0"><code><span class="line"><span>Not conformant, grade F. 27 failures, one cause: the signature is computed over re-serialized JSON.</span></span>
<span class="line"><span>hookproof 0.1.0  http://localhost:3000/webhooks  core profile, contract 1.0, test mode, seed site</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  Fix       Keep the request body as the bytes that were received, compute the HMAC over those, and</span></span>
<span class="line"><span>            parse the JSON only afterwards. Do not serialize a parsed body again: no library writes</span></span>
<span class="line"><span>            the same bytes.</span></span>
<span class="line"><span>  Case      body-bytes/spaces-added</span></span>
<span class="line"><span>  Sent      POST payment.completed, indentation added after signing</span></span>
<span class="line"><span>  Expected  the delivery is refused with status 401</span></span>
<span class="line"><span>  Received  status 200</span></span>
<span class="line"><span>  Reproduce npx hookproof send body-bytes/spaces-added http://localhost:3000/webhooks --seed site</span></span>
<span class="line"><span>  Docs      https://hookproof.github.io/hookproof/cases/body-bytes/spaces-added</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Inconclusive: the valid control delivery was rejected: 3</span></span>
<span class="line"><span>  the control, a valid delivery, was not accepted: status 401: body-bytes/indentation-removed,</span></span>
<span class="line"><span>  body-bytes/escapes-resolved, body-bytes/line-endings-changed</span></span>
<span class="line"><span></span></span>
<span class="line"><span>This machine was too busy to run hookproof for 3.3 s in total; response times do not include that.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  Transport         21 passed</span></span>
<span class="line"><span>  Signature header  62 passed</span></span>
<span class="line"><span>  Time window       16 passed</span></span>
<span class="line"><span>  Body bytes        23 passed  24 failed  2 warnings  3 inconclusive</span></span>
<span class="line"><span>  Refusals          25 passed</span></span>
<span class="line"><span>  Acknowledgment     8 passed</span></span>
<span class="line"><span>  Duplicates         2 passed</span></span>
<span class="line"><span>  Events            23 passed</span></span>
<span class="line"><span>  Robustness        31 passed   3 failed  2 warnings</span></span>
<span class="line"><span>  Disclosure         8 passed</span></span>
<span class="line"><span>  Bypass            23 passed</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Also: 4 warnings. All details: --verbose, or --report html=report.html. The cause: hookproof explain</span></span>
<span class="line"><span>body_reserialized</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Not conformant in the core profile: 242 passed, 27 failed, 4 warnings, 3 inconclusive of 276 cases</span></span>
<span class="line"><span>in 9.71 s. Grade F.</span></span>
<span class="line"><span>Skipped: 120 need the full profile (--observe), 2 need live mode (--mode live).</span></span></code></pre></div><a class="picture" href="./sample-report.html" target="_self"><img class="in-light"${ssrRenderAttr("src", _imports_0)} width="1200" height="750" loading="lazy" alt="The same report as a page: grade F, one cause, its fix, and the failures"><img class="in-dark"${ssrRenderAttr("src", _imports_1)} width="1200" height="750" loading="lazy" alt="The same report as a page: grade F, one cause, its fix, and the failures"><span>Open the same report as a page</span></a><h2 id="copy-a-handler" tabindex="-1">Copy a handler <a class="header-anchor" href="#copy-a-handler" aria-label="Permalink to &quot;Copy a handler&quot;">​</a></h2><p>Complete receivers in one file, which the suite has graded:</p><table tabindex="0"><thead><tr><th>language</th><th>handlers</th></tr></thead><tbody><tr><td>JavaScript</td><td><a href="/hookproof/handlers/express">Express</a> · <a href="/hookproof/handlers/express-hookproof">Express with @hookproof/receiver</a> · <a href="/hookproof/handlers/lambda">AWS Lambda</a> · <a href="/hookproof/handlers/workers">Cloudflare Workers</a> · <a href="/hookproof/handlers/fastify">Fastify</a> · <a href="/hookproof/handlers/hono">Hono</a> · <a href="/hookproof/handlers/koa">Koa</a> · <a href="/hookproof/handlers/next">Next.js App Router</a> · <a href="/hookproof/handlers/sveltekit">SvelteKit</a></td></tr><tr><td>TypeScript</td><td><a href="/hookproof/handlers/bun">Bun</a> · <a href="/hookproof/handlers/deno">Deno</a> · <a href="/hookproof/handlers/nest">NestJS</a></td></tr><tr><td>Python</td><td><a href="/hookproof/handlers/django">Django</a> · <a href="/hookproof/handlers/fastapi">FastAPI</a> · <a href="/hookproof/handlers/flask">Flask</a></td></tr><tr><td>Go</td><td><a href="/hookproof/handlers/go">Go net/http</a></td></tr><tr><td>Java</td><td><a href="/hookproof/handlers/jdk">JDK HttpServer</a> · <a href="/hookproof/handlers/spring">Spring Boot</a></td></tr><tr><td>PHP</td><td><a href="/hookproof/handlers/php">PHP with php-fpm and nginx</a> · <a href="/hookproof/handlers/symfony">Symfony HttpFoundation</a> · <a href="/hookproof/handlers/symfony">Laravel</a></td></tr><tr><td>Ruby</td><td><a href="/hookproof/handlers/rails">Rails</a> · <a href="/hookproof/handlers/sinatra">Sinatra</a></td></tr><tr><td>Rust</td><td><a href="/hookproof/handlers/axum">axum</a></td></tr></tbody></table><h2 id="where-to-start" tabindex="-1">Where to start <a class="header-anchor" href="#where-to-start" aria-label="Permalink to &quot;Where to start&quot;">​</a></h2><div class="doors"><div class="door"><h3 id="you-take-payments" tabindex="-1">You take payments <a class="header-anchor" href="#you-take-payments" aria-label="Permalink to &quot;You take payments&quot;">​</a></h3><p>Copy a graded handler, with the trap of its framework and the commands that grade it. Valid deliveries get 401? The <a href="/hookproof/debugger">signature debugger</a> shows which step differs.</p><p><a href="/hookproof/handlers/" class="go">Copy a handler</a></p></div><div class="door"><h3 id="you-keep-ci-green" tabindex="-1">You keep CI green <a class="header-anchor" href="#you-keep-ci-green" aria-label="Permalink to &quot;You keep CI green&quot;">​</a></h3><p>Run the suite on every push: exit codes, JUnit and Markdown reports, a baseline for known failures, a <a href="/hookproof/docs/check#in-ci">GitHub action</a>, and a <a href="/hookproof/docs/crash">test that kills the receiver</a>.</p><p><a href="/hookproof/docs/check#in-ci" class="go">Set up CI</a></p></div><div class="door"><h3 id="you-read-the-contract" tabindex="-1">You read the contract <a class="header-anchor" href="#you-read-the-contract" aria-label="Permalink to &quot;You read the contract&quot;">​</a></h3><p>Every requirement, with its source and the harm that it prevents, and every case, byte for byte, with the mistakes that it finds.</p><p><a href="/hookproof/spec" class="go">Read the contract</a></p></div></div></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
