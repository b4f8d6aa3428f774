import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 1.10","description":"","frontmatter":{"title":"Requirement 1.10","prev":false,"next":false},"headers":[],"relativePath":"requirements/1.10.md","filePath":"site/pages/requirements/1.10.md"}');
const _sfc_main = { name: "requirements/1.10.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-110" tabindex="-1">Requirement 1.10 <a class="header-anchor" href="#requirement-110" aria-label="Permalink to &quot;Requirement 1.10&quot;">​</a></h1><blockquote><p>A receiver SHOULD accept valid deliveries that are sent on one connection before the earlier ones are answered.</p></blockquote><p>SHOULD · Source: Convention: pipelining, part of HTTP/1.1</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/transport/pipelined"><code>pipelined</code></a></td><td>A delivery that closely follows another one is lost, or gets the response to the other one.</td></tr><tr><td><a href="/hookproof/cases/transport/pipelined-after-refused"><code>pipelined-after-refused</code></a></td><td>A delivery that closely follows another one is lost, or gets the response to the other one.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/1.10.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _1_10 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _1_10 as default
};
