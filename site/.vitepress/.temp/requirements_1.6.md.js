import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 1.6","description":"","frontmatter":{"title":"Requirement 1.6","prev":false,"next":false},"headers":[],"relativePath":"requirements/1.6.md","filePath":"site/pages/requirements/1.6.md"}');
const _sfc_main = { name: "requirements/1.6.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-16" tabindex="-1">Requirement 1.6 <a class="header-anchor" href="#requirement-16" aria-label="Permalink to &quot;Requirement 1.6&quot;">​</a></h1><blockquote><p>A receiver MUST accept valid deliveries that follow one another, on one connection or on several.</p></blockquote><p>MUST · Source: Convention: part of HTTP/1.1</p><p><strong>Prevents:</strong> a payment is refused or misread because the connection was used before.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/transport/several-on-one-connection"><code>several-on-one-connection</code></a></td><td>Later deliveries fail when the service keeps its connection open.</td></tr><tr><td><a href="/hookproof/cases/transport/valid-after-refused-on-one-connection"><code>valid-after-refused-on-one-connection</code></a></td><td>A payment is lost because the receiver parses the rest of a refused body as the next delivery.</td></tr><tr><td><a href="/hookproof/cases/transport/valid-after-early-refusals-on-one-connection"><code>valid-after-early-refusals-on-one-connection</code></a></td><td>A payment is lost, or taken for something else, because the body of a request that was refused early is parsed as the next request; behind a proxy, anyone can cause that.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/1.6.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _1_6 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _1_6 as default
};
