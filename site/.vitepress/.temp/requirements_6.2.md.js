import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 6.2","description":"","frontmatter":{"title":"Requirement 6.2","prev":false,"next":false},"headers":[],"relativePath":"requirements/6.2.md","filePath":"site/pages/requirements/6.2.md"}');
const _sfc_main = { name: "requirements/6.2.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-62" tabindex="-1">Requirement 6.2 <a class="header-anchor" href="#requirement-62" aria-label="Permalink to &quot;Requirement 6.2&quot;">​</a></h1><blockquote><p>A receiver MUST acknowledge a valid delivery before the sender times out.</p></blockquote><p>MUST · Source: Convention: the interface specifies no time; the suite waits 5 s by default</p><p><strong>Prevents:</strong> the service gives up on a delivery, and need not send it again.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/acknowledgement/in-time"><code>in-time</code></a></td><td>The service times out and sends the delivery again; under load it sends every delivery several times.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/6.2.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _6_2 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _6_2 as default
};
