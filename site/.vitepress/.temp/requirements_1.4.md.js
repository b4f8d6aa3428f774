import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 1.4","description":"","frontmatter":{"title":"Requirement 1.4","prev":false,"next":false},"headers":[],"relativePath":"requirements/1.4.md","filePath":"site/pages/requirements/1.4.md"}');
const _sfc_main = { name: "requirements/1.4.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-14" tabindex="-1">Requirement 1.4 <a class="header-anchor" href="#requirement-14" aria-label="Permalink to &quot;Requirement 1.4&quot;">​</a></h1><blockquote><p>A receiver MUST find the signature header regardless of how its name is capitalized.</p></blockquote><p>MUST · Source: Convention: HTTP header names are case-insensitive</p><p><strong>Prevents:</strong> every payment is refused behind a proxy that rewrites header names.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/transport/header-name-in-lower-case"><code>header-name-in-lower-case</code></a></td><td>Every delivery is refused when it passes through an HTTP/2 proxy.</td></tr><tr><td><a href="/hookproof/cases/transport/header-name-in-upper-case"><code>header-name-in-upper-case</code></a></td><td>Every delivery is refused when a proxy rewrites the header names.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/1.4.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _1_4 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _1_4 as default
};
