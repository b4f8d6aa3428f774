import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Webhook handlers","description":"","frontmatter":{"title":"Webhook handlers"},"headers":[],"relativePath":"handlers/index.md","filePath":"site/pages/handlers/index.md"}');
const _sfc_main = { name: "handlers/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="webhook-handlers" tabindex="-1">Webhook handlers <a class="header-anchor" href="#webhook-handlers" aria-label="Permalink to &quot;Webhook handlers&quot;">​</a></h1><p>Each one is a complete receiver to copy, in one file or a few. It verifies the signature over the raw bytes, stores each event once, answers 200, and processes afterwards. The suite grades every one of them: see the <a href="/hookproof/matrix">results</a>.</p><table tabindex="0"><thead><tr><th>language</th><th>handlers</th></tr></thead><tbody><tr><td>JavaScript</td><td><a href="/hookproof/handlers/express">Express</a> · <a href="/hookproof/handlers/express-hookproof">Express with @hookproof/receiver</a> · <a href="/hookproof/handlers/lambda">AWS Lambda</a> · <a href="/hookproof/handlers/workers">Cloudflare Workers</a> · <a href="/hookproof/handlers/fastify">Fastify</a> · <a href="/hookproof/handlers/hono">Hono</a> · <a href="/hookproof/handlers/koa">Koa</a> · <a href="/hookproof/handlers/next">Next.js App Router</a> · <a href="/hookproof/handlers/sveltekit">SvelteKit</a></td></tr><tr><td>TypeScript</td><td><a href="/hookproof/handlers/bun">Bun</a> · <a href="/hookproof/handlers/deno">Deno</a> · <a href="/hookproof/handlers/nest">NestJS</a></td></tr><tr><td>Python</td><td><a href="/hookproof/handlers/django">Django</a> · <a href="/hookproof/handlers/fastapi">FastAPI</a> · <a href="/hookproof/handlers/flask">Flask</a></td></tr><tr><td>Go</td><td><a href="/hookproof/handlers/go">Go net/http</a></td></tr><tr><td>Java</td><td><a href="/hookproof/handlers/jdk">JDK HttpServer</a> · <a href="/hookproof/handlers/spring">Spring Boot</a></td></tr><tr><td>PHP</td><td><a href="/hookproof/handlers/php">PHP with php-fpm and nginx</a> · <a href="/hookproof/handlers/symfony">Symfony HttpFoundation</a> · <a href="/hookproof/handlers/symfony">Laravel</a></td></tr><tr><td>Ruby</td><td><a href="/hookproof/handlers/rails">Rails</a> · <a href="/hookproof/handlers/sinatra">Sinatra</a></td></tr><tr><td>Rust</td><td><a href="/hookproof/handlers/axum">axum</a></td></tr></tbody></table><p>For others, see <a href="/hookproof/docs/frameworks">Frameworks and runtimes</a> and the <a href="/hookproof/docs/libraries">libraries</a> that verify the same scheme.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/handlers/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
