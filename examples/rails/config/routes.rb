Rails.application.routes.draw do
  post '/webhooks', to: 'webhooks#create'
  get '/observe', to: 'observations#index' if ENV['OBSERVE'] == '1'
end
